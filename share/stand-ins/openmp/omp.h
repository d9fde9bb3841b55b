//===- omp.h - OpenMP without its library ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef OPSIG_STANDIN_OPENMP_OMP_H
#define OPSIG_STANDIN_OPENMP_OMP_H

// A compiler that knows OpenMP does not bring this header along: LLVM's is part of libomp.
#include <stddef.h>

typedef enum omp_sched_t {
  omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4
} omp_sched_t;
typedef enum omp_proc_bind_t { omp_proc_bind_false = 0, omp_proc_bind_true = 1 } omp_proc_bind_t;
typedef struct omp_lock_t {
  void *opsig_lock;
} omp_lock_t;
typedef struct omp_nest_lock_t {
  void *opsig_lock;
} omp_nest_lock_t;

#ifdef __cplusplus
extern "C" {
#endif
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
int omp_get_level(void);
int omp_get_thread_limit(void);
int omp_get_max_active_levels(void);
void omp_set_num_threads(int Count);
void omp_set_dynamic(int On);
void omp_set_nested(int On);
void omp_set_max_active_levels(int Levels);
void omp_set_schedule(omp_sched_t Kind, int Chunk);
void omp_get_schedule(omp_sched_t *Kind, int *Chunk);
double omp_get_wtime(void);
double omp_get_wtick(void);
void omp_init_lock(omp_lock_t *Lock);
void omp_destroy_lock(omp_lock_t *Lock);
void omp_set_lock(omp_lock_t *Lock);
void omp_unset_lock(omp_lock_t *Lock);
int omp_test_lock(omp_lock_t *Lock);
void omp_init_nest_lock(omp_nest_lock_t *Lock);
void omp_destroy_nest_lock(omp_nest_lock_t *Lock);
void omp_set_nest_lock(omp_nest_lock_t *Lock);
void omp_unset_nest_lock(omp_nest_lock_t *Lock);
#ifdef __cplusplus
}
#endif

#endif

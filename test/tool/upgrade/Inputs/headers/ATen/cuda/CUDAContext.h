#pragma once
namespace at::cuda { void *getCurrentCUDAStream(); }

//===- Autograd.cpp - an operator with a gradient of its own --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrivateUse1NativeFunctions.h"

#include <ATen/ATen.h>
#include <ATen/core/Reduction.h>
#include <torch/csrc/autograd/custom_function.h>

namespace demo {

namespace {

/// |self - target|, reduced; the difference is kept for the gradient instead of being computed
/// twice.
class L1Loss : public torch::autograd::Function<L1Loss> {
public:
  static at::Tensor forward(torch::autograd::AutogradContext *context, const at::Tensor &self,
                            const at::Tensor &target, int64_t reduction) {
    at::AutoDispatchBelowADInplaceOrView belowAutograd;
    const at::Tensor difference = self - target;
    context->save_for_backward({difference});
    context->saved_data["reduction"] = reduction;
    const at::Tensor distance = difference.abs();
    if (reduction == at::Reduction::Mean)
      return distance.mean();
    return reduction == at::Reduction::Sum ? distance.sum() : distance;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                 torch::autograd::variable_list grads) {
    const at::Tensor difference = context->get_saved_variables()[0];
    at::Tensor grad = difference.sign() * grads[0];
    if (context->saved_data["reduction"].toInt() == at::Reduction::Mean)
      grad = grad / difference.numel();
    return {grad, -grad, at::Tensor()};
  }
};

} // namespace

// Registered for AutogradPrivateUse1, so it runs before autograd has seen the call.
at::Tensor DemoNativeFunctions::l1_loss(const at::Tensor &self, const at::Tensor &target,
                                        int64_t reduction) {
  return L1Loss::apply(self, target, reduction);
}

} // namespace demo

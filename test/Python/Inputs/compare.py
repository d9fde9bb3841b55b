# Calls the functions of the module `many` and those of torch, and compares what they do.
import many
import torch

checks = 0


def outcome(call, module):
    try:
        return call(module)
    except Exception as error:  # What a wrong call says is part of what is compared.
        return type(error).__name__, str(error)


def same(a, b):
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return (
            a.dtype == b.dtype
            and a.shape == b.shape
            and a.stride() == b.stride()
            and a.requires_grad == b.requires_grad
            and torch.equal(a, b)
        )
    if type(a) == type(b) and isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) == type(b) and a == b


def agree(call):
    """`call` does the same with the module as with torch, also where both complain."""
    global checks
    checks += 1
    mine, theirs = outcome(call, many), outcome(call, torch)
    assert same(mine, theirs), f"check {checks}: {mine!r} is not {theirs!r}"
    return mine


def refuse(call, kind):
    assert agree(call)[0] == kind, "a wrong call was taken"


a = torch.arange(12.0).reshape(3, 4) - 5
b = torch.linspace(-1, 2, 12).reshape(3, 4)
i = torch.tensor([2, 0])

assert sum(callable(getattr(many, name)) and not isinstance(getattr(many, name), type)
           for name in dir(many) if not name.startswith("__")) >= 60

# Positional and keyword arguments, defaults, numbers for tensors.
agree(lambda m: m.add(a, b))
agree(lambda m: m.add(a, b, alpha=3))
agree(lambda m: m.add(input=a, other=b, alpha=0.5))
agree(lambda m: m.add(a, 2))
agree(lambda m: m.add(2, a))
agree(lambda m: m.mul(a, 1j))
agree(lambda m: m.sub(a, b, alpha=2))
agree(lambda m: m.clamp(a, -1, 2))
agree(lambda m: m.clamp(a, max=2))
agree(lambda m: m.clamp(a, min=b))
agree(lambda m: m.clamp(a))
agree(lambda m: m.mean(a, dim=1, keepdim=True))
agree(lambda m: m.mean(a, (0, 1), dtype=torch.float64))
agree(lambda m: m.std(a, 1, unbiased=False))
agree(lambda m: m.std(a, dim=(0,), correction=2))
agree(lambda m: m.addmm(torch.ones(3, 3), a, b.t(), beta=0.5, alpha=2))
agree(lambda m: m.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2), stride=2, padding="valid"))
agree(lambda m: m.conv2d(torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2), padding=1))
agree(lambda m: m.permute(a, (1, 0)))
agree(lambda m: m.reshape(a, (2, 6)))

# The overload is that which fits.
agree(lambda m: m.eq(a, 1))
agree(lambda m: m.eq(a, b))
agree(lambda m: m.pow(a, 2))
agree(lambda m: m.pow(2, a))
agree(lambda m: m.pow(a, a))
agree(lambda m: m.where(a > 0, a, b))
agree(lambda m: m.where(a > 0))
agree(lambda m: m.div(a, b, rounding_mode="floor"))
agree(lambda m: m.div(a, 3, rounding_mode=None))
agree(lambda m: m.lerp(a, b, 0.25))
agree(lambda m: m.lerp(a, b, b))
agree(lambda m: m.sum(a))
agree(lambda m: m.sum(a, 1))
agree(lambda m: m.sum(a.rename("x", "y"), "y").rename(None))
agree(lambda m: m.max(a))
agree(lambda m: m.max(a, b))
agree(lambda m: m.result_type(a, 1j))
agree(lambda m: m.result_type(1, a))

# Lists, numbers and nothing as results.
agree(lambda m: m.cat([a, b], 1))
agree(lambda m: m.stack((a, b), dim=-1))
agree(lambda m: m.split(a, 2))
agree(lambda m: m.unbind(a))
agree(lambda m: m._foreach_add([a, b], [b, a]))
agree(lambda m: m._foreach_add_([a.clone()], 1))
agree(lambda m: m.allclose(a, a + 1e-9))
agree(lambda m: m.is_floating_point(a))

# out=
for call in (
    lambda m, out: m.add(a, b, out=out),
    lambda m, out: m.cat([a, b], out=out),
    lambda m, out: m.mm(a, b.t(), out=out),
    lambda m, out: m.ones(3, 2, out=out),
):
    result = torch.empty(0)
    assert call(many, result) is result
    assert same(result, call(torch, torch.empty(0)))
    checks += 1
values, indices = torch.empty(0), torch.empty(0, dtype=torch.long)
found = many.max(a, 1, out=(values, indices))
assert found.values is values and found.indices is indices and same(tuple(found), tuple(torch.max(a, 1)))
refuse(lambda m: m.zeros(2, out=torch.empty(2), dtype=torch.int64), "RuntimeError")

# Results whose fields have names.
for call in (
    lambda m: m.max(a, 1),
    lambda m: m.min(a, dim=0, keepdim=True),
    lambda m: m.median(a, 1),
    lambda m: m.kthvalue(a, 2),
    lambda m: m.topk(a, 2, largest=False),
    lambda m: m.sort(a, descending=True),
):
    mine, theirs = call(many), call(torch)
    agree(lambda m: tuple(call(m)))
    assert same(mine.values, theirs.values) and same(mine.indices, theirs.indices)
assert type(many.max(a, 1)) is many.max_result and many.max_result.__module__ == "many"
assert repr(many.max(torch.ones(1), 0)).startswith("many.max_result(")
qr = many.linalg_qr(a)
assert same(qr.Q, torch.linalg.qr(a).Q) and same(qr.R, torch.linalg.qr(a).R)

# What makes tensors.
agree(lambda m: m.zeros(2, 3))
agree(lambda m: m.zeros((2, 3), dtype=torch.int16))
agree(lambda m: m.ones([2], requires_grad=True))
agree(lambda m: m.full((2,), 7))
agree(lambda m: m.full((2,), 7, dtype=torch.float64, requires_grad=True))
agree(lambda m: m.eye(2, 3, device="cpu"))
agree(lambda m: m.linspace(0, 1, 5, dtype=torch.float64))
agree(lambda m: m.zeros_like(a, dtype=torch.bool))
agree(lambda m: m.full_like(a, 3, requires_grad=True))
agree(lambda m: m.zeros(2, device="meta").device)
agree(lambda m: m.eye(2, layout=torch.sparse_coo))
agree(lambda m: (torch.manual_seed(1), m.randn(2, 2, requires_grad=True))[1])
agree(lambda m: m.randn(3, generator=torch.Generator().manual_seed(3)))
mine = many.new_zeros(a, (2,), dtype=torch.float16, requires_grad=True)
assert same(mine, a.new_zeros((2,), dtype=torch.float16, requires_grad=True))
assert same(many.arange(0, 3), torch.arange(3.0)) or same(many.arange(0, 3), torch.arange(3))
refuse(lambda m: m.ones(2, dtype=torch.int64, requires_grad=True), "RuntimeError")

# Methods of tensors are functions here.
t = a.clone()
assert many.add_(t, b, alpha=2) is t and same(t, a + 2 * b)
assert many.zero_(t) is t and not t.any()
assert many.random_(t, 3, 4) is t and (t == 3).all()

assert many.size(a, 1) == 4
if hasattr(a, "rename"):  # until 2.13 or 2.14 dimensions may have names
    assert many.size(a.rename("x", "y"), "y") == 4
assert many.set_(t, b) is t and t.data_ptr() == b.data_ptr()

# Wrong calls say the same.
refuse(lambda m: m.mul("x", 2), "TypeError")
refuse(lambda m: m.mm(a), "TypeError")
refuse(lambda m: m.mm(a, b, beta=1), "TypeError")
refuse(lambda m: m.mm(a, b), "RuntimeError")
refuse(lambda m: m.mm(a, b, mat2=b), "TypeError")
refuse(lambda m: m.max(a, 1, 2, 3), "TypeError")
refuse(lambda m: m.zeros("two"), "TypeError")
refuse(lambda m: m.zeros(2, device="nowhere"), "RuntimeError")
refuse(lambda m: m.cat(a), "TypeError")
refuse(lambda m: m.cat([a, 1]), "TypeError")
refuse(lambda m: m.index_select(a, 0, b), "IndexError")
refuse(lambda m: m.softmax(a, 5), "IndexError")
refuse(lambda m: m.topk(a, k="2"), "TypeError")


# __torch_function__
class Noted(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return function, types, len(args), kwargs


noted = torch.ones(1).as_subclass(Noted)
assert many.add(noted, 1, alpha=2) == (many.add, (Noted,), 2, {"alpha": 2})
assert many.cat([a, noted]) == (many.cat, (Noted,), 1, None)


class Duck:
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return function.__name__


assert many.mul(a, Duck()) == "mul"

# Autograd goes through the dispatcher.
def gradient(m):
    x = a.clone().requires_grad_()
    y = m.sum(m.mul(m.sigmoid(m.addmm(x, x, b.t() @ b)), m.max(x, 0).values))
    y.backward()
    return type(y.grad_fn).__name__, x.grad


agree(gradient)
with torch.no_grad():
    assert not many.exp(a.clone().requires_grad_()).requires_grad
# The default is that of the schema, not the 0 that PyTorch's own binding reads.
loss = many.mse_loss(a.clone().requires_grad_(), b)
assert same(loss.detach(), torch.nn.functional.mse_loss(a, b)) and loss.requires_grad
assert same(many.linear(a, b), torch.nn.functional.linear(a, b))
refuse(lambda m: m.add(a, a, out=a.clone().requires_grad_()), "RuntimeError")

print(f"{checks} calls agree")

# The operators of custom.yaml, written in Python, are called through the module `custom`.
import custom
import torch

library = torch.library.Library("demo", "DEF")
for schema in (
    "scale(Tensor self, float factor=2.0, *, bool negate=False) -> Tensor",
    "scale.out(Tensor self, float factor=2.0, *, bool negate=False, Tensor(a!) out) -> Tensor(a!)",
    "extent(Tensor self, int[]? dim=None) -> (Tensor low, Tensor high)",
    "fill_(Tensor(a!) self, Scalar value) -> Tensor(a!)",
    "ramp(int end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    "note(Tensor self, str text) -> ()",
    "parts(Tensor self, int size) -> Tensor[]",
):
    library.define(schema)

notes = []
library.impl("scale", lambda self, factor=2.0, *, negate=False: self * (-factor if negate else factor), "")
library.impl("scale.out", lambda self, factor=2.0, *, negate=False, out: out.copy_(self * factor), "")
library.impl("extent", lambda self, dim=None: (self.amin(dim or ()), self.amax(dim or ())), "")
library.impl("fill_", lambda self, value: self.fill_(value), "")
library.impl("ramp", lambda end, *, dtype=None, layout=None, device=None, pin_memory=None:
             torch.arange(end, dtype=dtype, device=device), "")
library.impl("note", lambda self, text: notes.append(text), "")
library.impl("parts", lambda self, size: list(self.split(size)), "")

x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
y = custom.scale(x, factor=3, negate=True)
assert torch.equal(y, x * -3)
y.sum().backward()
assert torch.equal(x.grad, torch.full((3,), -3.0))
out = torch.empty(3)
assert custom.scale(x.detach(), out=out) is out and torch.equal(out, x.detach() * 2)

extent = custom.extent(x.detach())
assert type(extent) is custom.extent_result and (extent.low, extent.high) == (-2, 3)
assert custom.extent(torch.ones(2, 3), dim=[1]).low.shape == (2,)
t = torch.ones(2)
assert custom.fill_(t, 4) is t and (t == 4).all()
ramp = custom.ramp(3, dtype=torch.float64, requires_grad=True)
assert torch.equal(ramp, torch.arange(3, dtype=torch.float64)) and ramp.requires_grad
assert custom.note(t, text="hello") is None and notes == ["hello"]
assert [len(part) for part in custom.parts(torch.ones(5), 2)] == [2, 2, 1]

for call, message in (
    (lambda: custom.scale(), "scale() missing 1 required positional arguments: \"input\""),
    (lambda: custom.scale(t, "2"), "scale(): argument 'factor' (position 2) must be float, not str"),
    (lambda: custom.scale(t, by=2), "scale() got an unexpected keyword argument 'by'"),
):
    try:
        call()
    except TypeError as error:
        assert str(error) == message, error
    else:
        raise AssertionError("a wrong call was taken")


class Noted(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return function, kwargs


assert custom.scale(t.as_subclass(Noted), factor=1.0) == (custom.scale, {"factor": 1.0})
print("custom operators are called")

//===- Files.h - The one way in which generated files leave -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// template file x values, whole or in shards | text => FileWriter => name and text of a file
//
// A generator decides what there is, and hands values to the writer of its run; the writer checks
// the template, prints into a buffer that all files share, and passes the text on.
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_CODEGEN_FILES_H
#define OPSIG_CODEGEN_FILES_H

#include "opsig/Codegen/TemplateSet.h"
#include "llvm/ADT/STLExtras.h"

namespace opsig {

/// Below the install folder: itself, core/, ops/; and the folders of the AOTI shims and of headers
/// that need no library.
enum class FileFolder : uint8_t { Main, Core, Ops, Aoti, HeaderOnly };

/// The list of files (of `gen aten -o`) that names a file.
enum class FileList : uint8_t { Main, CpuVec, Core, Ops, Cuda, Xpu, None };

/// Where a file goes, and what it is made from.
struct FileSpec {
  std::string Name; ///< "RegisterCPU.cpp", "add_native.h"
  /// The name of its template; "" where that is the file's.
  llvm::StringRef Template = "";
  FileFolder Folder = FileFolder::Main;
  FileList List = FileList::Main;
};

struct GeneratedFile {
  std::string Name;
  std::string Text;
};

/// Takes files one after the other, as soon as each is made; the text is gone afterwards.
using FileSink = llvm::function_ref<void(const FileSpec &, llvm::StringRef Text)>;

/// Some of a generator's items, and the file that they go to.
template <typename Item> struct Shard {
  FileSpec Spec;
  std::string Id; ///< for the hole shard_id: "Everything", "_0"
  std::vector<const Item *> Items;
};

/// The shard of an item: the SHA-1 of \p Key, read as a little-endian number, modulo \p NumShards.
unsigned shardOf(llvm::StringRef Key, unsigned NumShards);

class FileWriter {
public:
  /// \p Origin stands before a template's name in comments: "by torchgen/gen.py from ". What is
  /// wrong with templates goes to \p Diags. Files are printed into \p Buffer.
  FileWriter(const TemplateSet &Templates, const Dialect &D, std::string Origin, FileSink Out,
             Findings &Diags, std::string &Buffer)
      : Templates(Templates), D(D), Origin(std::move(Origin)), Out(Out), Diags(Diags),
        Buffer(Buffer) {}

  Findings &diags() const { return Diags; }
  /// The buffer, empty.
  std::string &buffer() {
    Buffer.clear();
    return Buffer;
  }

  /// Makes one file. The hole generated_comment is filled unless \p Values do it. Reports a
  /// template that is not there, one with a hole that has no value, and one that lacks a value's
  /// hole, for which only the values of a frame need not be asked.
  template <typename... Ts> void add(const FileSpec &Spec, const Ts &...Values) {
    if (print(Spec, buffer(), Values...))
      Out(Spec, Buffer);
  }

  /// The same with names that are put together; each needs its hole.
  void addNamed(const FileSpec &Spec, llvm::ArrayRef<TemplateValue> Values);

  /// A file of the text in the buffer, or of another one.
  void addBuffer(const FileSpec &Spec) { Out(Spec, Buffer); }
  void addText(const FileSpec &Spec, llvm::StringRef Text) { Out(Spec, Text); }

  /// The same as add(), into a buffer. Returns whether there was nothing to report.
  template <typename... Ts>
  bool print(const FileSpec &Spec, std::string &To, const Ts &...Values) const {
    static constexpr auto Names = printer::namesOf<Ts...>();
    HoleView Views[Names.size() + 1];
    [[maybe_unused]] HoleView *At = Views;
    (printer::Given<Ts>::views(At, Values), ...);
    return fill(Spec, To, Names, llvm::ArrayRef(Views).drop_back());
  }

  /// Makes "XEverything.cpp" of all items, which is in no list, then "X_0.cpp" ... "X_<n-1>.cpp"
  /// for a Spec.Name of "X.cpp", which is the template of all. Items keep their order; \p KeyOf
  /// says by what they are spread. \p Add makes the file of a shard.
  template <typename Item, typename Key, typename Fn>
  void addShards(const FileSpec &Spec, const std::vector<Item> &All, unsigned NumShards, Key KeyOf,
                 Fn Add) {
    std::vector<Shard<Item>> Shards(1 + NumShards);
    for (const Item &I : All) {
      Shards[0].Items.push_back(&I);
      Shards[1 + shardOf(KeyOf(I), NumShards)].Items.push_back(&I);
    }
    size_t Before = Diags.size();
    for (auto [Number, S] : llvm::enumerate(Shards)) {
      S.Id = Number ? "_" + std::to_string(Number - 1) : "Everything";
      S.Spec = shardSpec(Spec, S.Id);
      S.Spec.List = Number ? Spec.List : FileList::None;
      Add(S);
      if (Diags.size() != Before)
        return; // The next would say the same of the same template.
    }
  }

private:
  static FileSpec shardSpec(const FileSpec &Of, llvm::StringRef Id);
  bool fill(const FileSpec &Spec, std::string &To, llvm::ArrayRef<printer::Name> Names,
            llvm::ArrayRef<HoleView> Views) const;

  const TemplateSet &Templates;
  const Dialect &D;
  std::string Origin;
  FileSink Out;
  Findings &Diags;
  std::string &Buffer;
};

} // namespace opsig

#endif

//===- ListEditInternal.h - What a release adds to a list and takes from it -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ArrayRef of the release before => edits by the names of entries => ArrayRef of this release
//
//===----------------------------------------------------------------------===//
#ifndef OPSIG_LIB_DIALECT_LISTEDITINTERNAL_H
#define OPSIG_LIB_DIALECT_LISTEDITINTERNAL_H

#include "opsig/Dialect/DispatchKey.h"
#include "opsig/Dialect/DispatchTableTraits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace opsig {

/// Holds the lists that were edited, and what was wrong with the edits: an entry that was to go, or
/// to mark a place, and is not there; one that was to come and is.
struct ListStore {
  std::deque<std::vector<llvm::StringRef>> Names;
  std::deque<std::vector<DispatchKey>> Keys;
  std::deque<std::vector<SlotTraits>> Slots;
  llvm::StringRef Release; ///< whose edits are made: "2.4"
  std::vector<std::string> Mistakes;

  std::deque<std::vector<llvm::StringRef>> &lists(llvm::StringRef) { return Names; }
  std::deque<std::vector<DispatchKey>> &lists(DispatchKey) { return Keys; }
  std::deque<std::vector<SlotTraits>> &lists(const SlotTraits &) { return Slots; }
};

/// Changes one list of a dialect; the list of the release before stays as it is. An edit with a
/// mistake changes nothing and is noted.
template <typename T> class ListEdit {
public:
  using Items = std::initializer_list<T>;

  ListEdit(llvm::ArrayRef<T> &List, ListStore &Store)
      : List(List), Store(Store), Own(Store.lists(T()).emplace_back(List.vec())) {
    this->List = Own;
  }

  ListEdit &append(Items New) { return insert(Own.size(), New); }
  ListEdit &before(T Mark, Items New) { return at(Mark, 0, New); }
  ListEdit &after(T Mark, Items New) { return at(Mark, 1, New); }

  /// Puts each new entry where \p Less wants it, in a list that is in that order.
  template <typename Order> ListEdit &insertSorted(Items New, Order Less) {
    for (const T &Item : New)
      insert(llvm::upper_bound(Own, Item, Less) - Own.begin(), {Item});
    return *this;
  }

  ListEdit &remove(Items Old) {
    for (const T &Item : Old)
      if (std::optional<size_t> Index = find(Item))
        Own.erase(Own.begin() + *Index);
    List = Own;
    return *this;
  }

  /// The new entries stand where the old one stood.
  ListEdit &replace(T Old, Items New) {
    std::optional<size_t> Index = find(Old);
    if (!Index)
      return *this;
    Own.erase(Own.begin() + *Index);
    return insert(*Index, New);
  }

  /// Nothing of the old list is left.
  ListEdit &become(Items New) {
    Own.clear();
    return append(New);
  }

private:
  static std::string text(llvm::StringRef Name) { return Name.str(); }
  static std::string text(DispatchKey Key) { return toString(Key).str(); }
  static std::string text(const SlotTraits &Slot) { return Slot.Name.str(); }

  void mistake(const T &Item, const char *What) {
    Store.Mistakes.push_back(Store.Release.str() + ": '" + text(Item) + "' " + What);
  }

  std::optional<size_t> find(const T &Item) {
    auto It = llvm::find(Own, Item);
    if (It != Own.end())
      return It - Own.begin();
    mistake(Item, "is not in the list");
    return std::nullopt;
  }

  ListEdit &at(T Mark, size_t End, Items New) {
    if (std::optional<size_t> Index = find(Mark))
      insert(*Index + End, New);
    return *this;
  }

  ListEdit &insert(size_t Index, Items New) {
    for (const T &Item : New) {
      if (llvm::is_contained(Own, Item))
        mistake(Item, "is in the list already");
      else
        Own.insert(Own.begin() + Index++, Item);
    }
    List = Own;
    return *this;
  }

  llvm::ArrayRef<T> &List;
  ListStore &Store;
  std::vector<T> &Own;
};

} // namespace opsig

#endif

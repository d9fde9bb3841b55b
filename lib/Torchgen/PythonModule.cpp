//===- PythonModule.cpp - What a module assigns -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PythonDataInternal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace opsig {

namespace {

bool changesList(llvm::StringRef Method) {
  return llvm::StringSwitch<bool>(Method)
      .Cases({"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"}, true)
      .Cases({"add", "discard", "update", "setdefault", "popitem"}, true)
      .Cases({"difference_update", "intersection_update", "symmetric_difference_update"}, true)
      .Default(false);
}

/// Statements that have a block, which may run or not.
bool isCompound(llvm::StringRef Word) {
  return llvm::StringSwitch<bool>(Word)
      .Cases({"if", "elif", "else", "for", "while", "try", "except", "finally", "with", "match"},
             true)
      .Default(false);
}

bool isAssignment(const PythonToken &T) {
  return T.Is == PythonToken::Operator && T.Text.ends_with("=") && T.Text != "==" &&
         T.Text != "!=" && T.Text != "<=" && T.Text != ">=";
}

} // namespace

ModuleAssignments::ModuleAssignments(llvm::StringRef Name, llvm::StringRef Text,
                                     llvm::ArrayRef<llvm::StringRef> Classes)
    : Name(Name) {
  readAll(Text, Classes);
  addStatements();
}

/// Keeps the tokens of all statements but functions and most classes: they do not run when the
/// module is imported, or hold nothing that is asked for.
void ModuleAssignments::readAll(llvm::StringRef Text, llvm::ArrayRef<llvm::StringRef> Classes) {
  PythonLexer Lexer(Text);
  for (;;) {
    PythonToken First = Lexer.next();
    if (First.Is == PythonToken::End)
      return;
    size_t Begin = All.size();
    PythonToken T = First;
    for (; T.Is != PythonToken::LineEnd && T.Is != PythonToken::End; T = Lexer.next())
      All.push_back(T);
    All.push_back(T);
    if (First.Indent != 0)
      continue;
    bool Skips = First.is("def") || First.is("async") || First.is("@");
    if (First.is("class"))
      Skips = !llvm::is_contained(Classes, All[Begin + 1].Text);
    if (First.is("def") || First.is("async") || (First.is("class") && Skips))
      Lexer.skipBlock();
    if (Skips)
      All.resize(Begin);
  }
}

void ModuleAssignments::addStatements() {
  for (size_t Begin = 0; Begin < All.size();) {
    if (All[Begin].Indent == 0 && All[Begin].is("class")) {
      Begin = addClass(Begin);
      continue;
    }
    size_t End = Begin;
    while (End < All.size() && All[End].Is != PythonToken::LineEnd &&
           All[End].Is != PythonToken::End)
      ++End;
    addStatement(Tokens(All).slice(Begin, End - Begin));
    Begin = End + 1;
  }
}

/// The class at \p Begin, with all indented lines behind it.
size_t ModuleAssignments::addClass(size_t Begin) {
  size_t End = Begin;
  while (End < All.size() && (End == Begin || All[End].Is == PythonToken::LineEnd ||
                              All[End].Indent != 0 || All[End - 1].Is != PythonToken::LineEnd))
    ++End;
  if (Begin + 1 < End)
    add(All[Begin + 1].Text,
        {Change::Class, All[Begin].Line, Tokens(All).slice(Begin, End - Begin), ""});
  return End;
}

void ModuleAssignments::addStatement(Tokens Line) {
  if (Line.empty())
    return;
  if (Line[0].Indent == 0 && addAssignment(Line))
    return;
  addTouches(Line);
}

/// `NAME = value`, `NAME: type = value`, `NAME += value`.
bool ModuleAssignments::addAssignment(Tokens Line) {
  if (Line.size() < 3 || Line[0].Is != PythonToken::Word)
    return false;
  size_t At = 1;
  if (Line[1].is(":")) {
    unsigned Depth = 0;
    for (++At; At < Line.size(); ++At) {
      Depth += Line[At].is("[") || Line[At].is("(");
      Depth -= Depth && (Line[At].is("]") || Line[At].is(")"));
      if (!Depth && Line[At].is("="))
        break;
    }
  }
  if (At + 1 >= Line.size())
    return false;
  bool Adds = At == 1 && Line[At].is("+=");
  if (!Adds && !Line[At].is("="))
    return false;
  Tokens Value = Line.drop_front(At + 1);
  // a = b = value, and several statements on one line
  if (llvm::any_of(Value, [](const PythonToken &T) { return T.is(";"); }))
    return false;
  add(Line[0].Text, {Adds ? Change::Added : Change::Assigned, Line[0].Line, Value, ""});
  addTouches(Value);
  return true;
}

/// Whatever else may change a variable, or may not.
void ModuleAssignments::addTouches(Tokens Line) {
  for (size_t I = 0; I < Line.size(); ++I) {
    if (Line[I].Is != PythonToken::Word || (I && Line[I - 1].is(".")))
      continue;
    auto Touch = [&](std::string What) {
      add(Line[I].Text, {Change::Touched, Line[I].Line, {}, std::move(What)});
    };
    bool First = I == 0 || Line[I - 1].is(";") || Line[I - 1].is(":") || Line[I - 1].is(",");
    if (I + 2 < Line.size() && Line[I + 1].is(".") && changesList(Line[I + 2].Text))
      Touch("is changed by '" + Line[I + 2].Text.str() + "'");
    else if (I && Line[I - 1].is("del"))
      Touch("is deleted");
    else if (First && I + 1 < Line.size() && Line[I + 1].is("["))
      for (size_t J = I + 2; J < Line.size(); ++J) {
        if (isAssignment(Line[J])) {
          Touch("is changed element by element");
          break;
        }
      }
    else if (First && I + 1 < Line.size() && isAssignment(Line[I + 1]) &&
             (Line[0].Indent != 0 || isCompound(Line[0].Text) || Line[I].Text == Line[0].Text ||
              (I && Line[I - 1].is(";"))))
      Touch("is not assigned in a simple statement");
  }
}

void ModuleAssignments::add(llvm::StringRef Variable, Change C) {
  Changes[Variable].push_back(std::move(C));
}

llvm::ArrayRef<ModuleAssignments::Change>
ModuleAssignments::changes(llvm::StringRef Variable) const {
  auto It = Changes.find(Variable);
  return It == Changes.end() ? llvm::ArrayRef<Change>() : llvm::ArrayRef(It->second);
}

} // namespace opsig

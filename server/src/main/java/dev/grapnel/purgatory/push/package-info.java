/// Whether a push may happen, by signed events alone (service 5.3 and 6, purgatory 3).
///
/// Start at [PushJudge]: commands and a [PushScene] in, a [PushJudgement] out. It is asked twice, before the
/// pack is read and once more under the identifier's lock; [SecondVerdict] says whether the two agree.
/// [Governing] picks the state that decides a repository's refs, for pushes and for aligning alike. Every text
/// that a refused client reads about authority stands in [Reasons], every command it is advised in [Hints].
///
/// Not here: reading anything. Events, refs and objects come in through the scene; nobody here changes state.
@NullMarked
package dev.grapnel.purgatory.push;

import org.jspecify.annotations.NullMarked;

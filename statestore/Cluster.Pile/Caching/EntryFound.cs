using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Caching;

/// <summary>What a read found. An immutable value.</summary>
/// <param name="Kind">What the value is.</param>
/// <param name="Length">Its bytes; more than the destination has when nothing useful was copied.</param>
internal readonly record struct EntryFound(RecordKind Kind, int Length);

using Cluster.Pile.Tables.Log;

namespace Cluster.Pile.Caching;

/// <summary>The result of a read. An immutable value.</summary>
/// <param name="Kind">The kind of the value.</param>
/// <param name="Length">Its bytes; when this is more than the destination has, nothing useful was copied.</param>
internal readonly record struct EntryFound(RecordKind Kind, int Length);

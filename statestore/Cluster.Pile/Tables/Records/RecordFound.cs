namespace Cluster.Pile.Tables.Records;

/// <summary>The result of a read, without the bytes of the value. An immutable value.</summary>
/// <param name="Kind">The kind of the value.</param>
/// <param name="Length">The length of the value in bytes. When it is larger than the destination, nothing was
/// copied.</param>
/// <param name="Times">The deadline and the time of the put; zero when the record is not timed.</param>
/// <param name="Token">Identifies this value of this record for <see cref="RecordCondition.Unchanged"/>.</param>
internal readonly record struct RecordFound(RecordKind Kind, int Length, RecordTimes Times, ulong Token);

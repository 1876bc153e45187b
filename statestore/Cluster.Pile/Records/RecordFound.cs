namespace Cluster.Pile.Records;

/// <summary>What a read found beside the bytes of the value. An immutable value.</summary>
/// <param name="Kind">What the value is.</param>
/// <param name="Length">Its bytes; more than the destination has when nothing was copied.</param>
/// <param name="Times">When it ends and when it was put; zero when the record is not timed.</param>
/// <param name="Token">Names this value of this record for <see cref="RecordCondition.Unchanged"/>.</param>
internal readonly record struct RecordFound(RecordKind Kind, int Length, RecordTimes Times, ulong Token);

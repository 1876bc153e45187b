namespace Cluster.Pile.Tables.Records;

/// <summary>When a timed record ends and when it was put, in steps of the clock of records: one word, read and
/// written whole. An immutable value.</summary>
/// <remarks>
/// <code>
/// bits 32..63  put       (32)  the step of the put
/// bits  0..31  deadline  (32)  the step from which on the record is gone; zero for none
/// </code>
/// </remarks>
internal readonly record struct RecordTimes(ulong Word)
{
    public const int Bytes = 8;
    public const int PutShift = 32;

    public RecordTimes(uint deadline, uint put)
        : this(deadline | ((ulong)put << PutShift))
    {
    }

    public uint Deadline => (uint)Word;

    public uint Put => (uint)(Word >> PutShift);
}

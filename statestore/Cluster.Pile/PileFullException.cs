namespace Cluster.Pile;

/// <summary>The object or buffer does not fit into what is left of the budget, or of the disk that a mapped folder lies
/// on. Every object and every counter is as it was before the call; delete something, or raise
/// <see cref="PileOptions.BudgetBytes"/>, or for buffers without a pile <see cref="BufferBudget.CapBytes"/>.
/// Immutable.</summary>
public sealed class PileFullException : PileException
{
    internal PileFullException(long budgetBytes, long neededBytes)
        : base($"The pile is full: {neededBytes:N0} contiguous bytes are needed and not free within the budget of "
            + $"{budgetBytes:N0} bytes. Delete objects or raise "
            + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)}.")
    {
        BudgetBytes = budgetBytes;
        NeededBytes = neededBytes;
    }

    internal PileFullException(string folder, long budgetBytes, long neededBytes)
        : base($"The disk is full: {neededBytes:N0} bytes are needed for a pile of {budgetBytes:N0} bytes, and the "
            + $"file system of {folder} has no room. Free some there, or lower "
            + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)}.")
    {
        BudgetBytes = budgetBytes;
        NeededBytes = neededBytes;
    }

    internal PileFullException(string budget, (long Cap, long Taken) bytes, long neededBytes)
        : base($"The budget \"{budget}\" is full: {neededBytes:N0} contiguous bytes are needed, and of "
            + $"{bytes.Cap:N0} bytes {bytes.Taken:N0} are taken. Free buffers or raise "
            + $"BufferBudget.CapBytes.")
    {
        BudgetBytes = bytes.Cap;
        NeededBytes = neededBytes;
    }

    internal PileFullException(int buffersMax)
        : base($"A process has at most {buffersMax:N0} buffers at a time, and all are in use. Free some.")
    {
    }

    /// <summary>The budget in bytes: that of the pile, or the cap of the process-wide one.</summary>
    public long BudgetBytes { get; }

    /// <summary>The contiguous bytes that the object would have taken, with its header, or those of the
    /// buffer.</summary>
    public long NeededBytes { get; }
}

namespace Cluster.Pile;

/// <summary>The object or buffer does not fit into what is left of the budget, or of the disk that a mapped folder lies
/// on. Every object and every counter is as it was before the call; delete something, or raise
/// <see cref="PileOptions.BudgetBytes"/>, or for buffers without a pile <c>BufferBudget.CapBytes</c>.
/// Immutable.</summary>
public sealed class PileFullException : PileException
{
    /// <summary>The refusal of a library that keeps memory of its own within a budget.</summary>
    /// <param name="message">What was asked for, and what can be done.</param>
    /// <param name="budgetBytes">The budget in bytes.</param>
    /// <param name="neededBytes">The contiguous bytes that were asked for.</param>
    public PileFullException(string message, long budgetBytes, long neededBytes)
        : base(message)
    {
        BudgetBytes = budgetBytes;
        NeededBytes = neededBytes;
    }

    internal PileFullException(long budgetBytes, long neededBytes)
        : base($"The pile is full: {neededBytes:N0} contiguous bytes are needed and not free within the budget of "
            + $"{budgetBytes:N0} bytes. Delete objects or raise "
            + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)}.")
    {
        BudgetBytes = budgetBytes;
        NeededBytes = neededBytes;
    }

    internal PileFullException(long budgetBytes, long neededBytes, string folder)
        : base($"The disk is full: {neededBytes:N0} bytes are needed for a pile of {budgetBytes:N0} bytes, and the "
            + $"file system of {folder} has no room. Free some there, or lower "
            + $"{nameof(PileOptions)}.{nameof(PileOptions.BudgetBytes)}.")
    {
        BudgetBytes = budgetBytes;
        NeededBytes = neededBytes;
    }


    /// <summary>The budget in bytes: that of the pile, or the cap of the process-wide one.</summary>
    public long BudgetBytes { get; }

    /// <summary>The contiguous bytes that the object would have taken, with its header, or those of the
    /// buffer.</summary>
    public long NeededBytes { get; }
}

namespace Cluster.Pile;

/// <summary>The object or buffer does not fit into the rest of the budget, or of the disk of a mapped folder. Every
/// object and every counter is as it was before the call. Delete objects, or raise
/// <see cref="PileOptions.BudgetBytes"/>, or for buffers without a pile <c>BufferBudget.CapBytes</c>.
/// Immutable.</summary>
public sealed class PileFullException : PileException
{
    /// <summary>Refuses a request of a library that keeps memory within a budget.</summary>
    /// <param name="message">The request and the remedy.</param>
    /// <param name="budgetBytes">The budget in bytes.</param>
    /// <param name="neededBytes">The contiguous bytes that were requested.</param>
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


    /// <summary>The budget in bytes: that of the pile, or the limit of the process-wide budget.</summary>
    public long BudgetBytes { get; }

    /// <summary>The contiguous bytes that the object needs, with its header, or the bytes of the buffer.</summary>
    public long NeededBytes { get; }
}

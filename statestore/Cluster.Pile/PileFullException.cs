namespace Cluster.Pile;

/// <summary>
/// The object does not fit into what is left of the budget. Every object and every counter of the pile is as it
/// was before the call; delete something or raise <see cref="PileOptions.BudgetBytes"/>. Immutable.
/// </summary>
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

    /// <summary>The budget of the pile in bytes.</summary>
    public long BudgetBytes { get; }

    /// <summary>The contiguous bytes that the object would have taken, with its header.</summary>
    public long NeededBytes { get; }
}

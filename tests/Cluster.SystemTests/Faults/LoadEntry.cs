namespace Cluster.SystemTests.Faults;

/// <summary>One operation of the load. Immutable.</summary>
/// <param name="Partition">The partition of its key.</param>
/// <param name="Kind">What was done.</param>
/// <param name="Began">When it began, in seconds since the begin of the load.</param>
/// <param name="Ended">When it ended.</param>
/// <param name="Outcome">How it ended.</param>
internal readonly record struct LoadEntry(
    int Partition, LoadKind Kind, double Began, double Ended, LoadOutcome Outcome)
{
    public bool IsDone => Outcome == LoadOutcome.Done;
}

/// <summary>What an operation of the load does.</summary>
internal enum LoadKind
{
    Read,
    Put,
    PutIfVersion,
    Remove,
    Increment,
}

/// <summary>How an operation of the load ended.</summary>
internal enum LoadOutcome
{
    /// <summary>It was answered.</summary>
    Done,

    /// <summary>It was certainly not carried out.</summary>
    Refused,

    /// <summary>It may have been carried out.</summary>
    Unknown,
}

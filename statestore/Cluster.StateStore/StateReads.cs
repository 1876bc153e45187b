namespace Cluster.StateStore;

/// <summary>How new the values are that reads of a state give. Writes and updates are not concerned: they always run on
/// the newest value. The default value is <see cref="Linearizable"/>.</summary>
public readonly record struct StateReads
{
    /// <summary>The smallest bound of <see cref="BoundedStale"/>: one second.</summary>
    public static readonly TimeSpan StalenessMin = TimeSpan.FromSeconds(1);

    private StateReads(bool isStrict, TimeSpan maxAge) => (IsStrict, MaxAge) = (isStrict, maxAge);

    /// <summary>A read gives the newest acknowledged value. The owner of the key answers alone, as long as its leases
    /// last. That assumes that the clocks of two nodes run at rates that differ by less than a factor of 1.5.</summary>
    public static StateReads Linearizable => default;

    /// <summary>A read gives the newest acknowledged value and assumes nothing about clocks: before the owner answers,
    /// each node with a copy confirms that nobody has taken over. That costs one round trip from the owner to the
    /// copies, which the reads of one moment share. Without copies it costs nothing.</summary>
    public static StateReads Strict { get; } = new(true, default);

    internal bool IsStrict { get; }

    /// <summary>How old a value may be; zero: it must be the newest one.</summary>
    internal TimeSpan MaxAge { get; }

    /// <summary>A read may give an older value, which a node with a copy answers where that is nearer: this process
    /// itself, if it has a copy. While the owner cannot be reached, copies go on answering until they are too
    /// old.</summary>
    /// <param name="maxAge">How old the value may be, by the clock of the node that answers; at least
    /// <see cref="StalenessMin"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">The bound is too small.</exception>
    public static StateReads BoundedStale(TimeSpan maxAge)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxAge, StalenessMin);
        return new StateReads(false, maxAge);
    }

    /// <inheritdoc />
    public override string ToString() => this switch
    {
        { IsStrict: true } => "strict",
        { MaxAge.Ticks: > 0 } => $"at most {MaxAge} old",
        _ => "linearizable",
    };

    /// <summary>Rebuilds the mode from its parts in a message, which may come from a hostile peer.</summary>
    internal static bool TryCreate(bool isStrict, long maxAgeTicks, out StateReads reads)
    {
        reads = new StateReads(isStrict, TimeSpan.FromTicks(maxAgeTicks));
        return maxAgeTicks == 0 || (!isStrict && maxAgeTicks >= StalenessMin.Ticks);
    }
}

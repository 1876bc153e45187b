using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore;

/// <summary>When a value goes away by itself. The default value stands for what the state was registered with. Spans
/// start at the owner's time of the write or access. A wall clock that is wrong or jumps, and a move to a node with
/// another one, make a life at most an eighth shorter or longer.</summary>
public readonly record struct StateExpiry
{
    private StateExpiry(ExpiryKind kind, long ticks)
    {
        Kind = kind;
        Ticks = ticks;
    }

    /// <summary>What the state was registered with.</summary>
    public static StateExpiry Default => default;

    /// <summary>The value stays until it is removed.</summary>
    public static StateExpiry Never { get; } = new(ExpiryKind.Never, 0);

    internal ExpiryKind Kind { get; }

    internal long Ticks { get; }

    /// <summary>Whether the time of the write decides when the value goes away.</summary>
    internal bool IsRelative => Kind is ExpiryKind.After or ExpiryKind.Sliding;

    /// <summary>The value goes away some time after the write.</summary>
    /// <param name="span">How long it stays; more than zero.</param>
    /// <exception cref="ArgumentOutOfRangeException">The span is not positive.</exception>
    public static StateExpiry After(TimeSpan span)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(span, TimeSpan.Zero);
        return new StateExpiry(ExpiryKind.After, span.Ticks);
    }

    /// <summary>The value goes away at an instant. One in the past makes the write a removal.</summary>
    /// <param name="instant">When.</param>
    public static StateExpiry At(DateTimeOffset instant) => new(ExpiryKind.At, instant.UtcTicks);

    /// <summary>The value goes away some time after it was read or written last. Reading is one call to the owner, as
    /// without expiry.</summary>
    /// <param name="window">How long it stays without an access: from a millisecond to 34 years, rounded up by at most
    /// 0.2 %. An access in the first eighth of a running window does not start a new one.</param>
    /// <exception cref="ArgumentOutOfRangeException">The window is not positive.</exception>
    public static StateExpiry Sliding(TimeSpan window)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(window, TimeSpan.Zero);
        return new StateExpiry(ExpiryKind.Sliding, window.Ticks);
    }

    /// <inheritdoc />
    public override string ToString() => Kind switch
    {
        ExpiryKind.Default => "default",
        ExpiryKind.Never => "never",
        ExpiryKind.After => $"after {new TimeSpan(Ticks)}",
        ExpiryKind.Sliding => $"{new TimeSpan(Ticks)} after the last access",
        _ => $"at {new DateTime(Ticks, DateTimeKind.Utc):O}",
    };

    /// <summary>Rebuilds an expiry from its parts in a message, which may come from a hostile peer.</summary>
    internal static bool TryCreate(int kind, long ticks, out StateExpiry expiry)
    {
        expiry = new StateExpiry((ExpiryKind)kind, ticks);
        return (ExpiryKind)kind switch
        {
            ExpiryKind.Default or ExpiryKind.Never => ticks == 0,
            ExpiryKind.After or ExpiryKind.Sliding => ticks > 0,
            ExpiryKind.At => ticks >= 0 && ticks <= DateTime.MaxValue.Ticks,
            _ => false,
        };
    }

    /// <summary>The end of the life of a value that is written at a UTC tick, in the form of
    /// <see cref="LifeEnd"/>.</summary>
    internal long ResolveTicks(long nowTicks) => Kind switch
    {
        ExpiryKind.After => Ticks > DateTime.MaxValue.Ticks - nowTicks ? 0 : nowTicks + Ticks,
        ExpiryKind.At => Math.Max(Ticks, 1),
        ExpiryKind.Sliding => LifeEnd.Sliding(Ticks, nowTicks),
        _ => 0,
    };
}

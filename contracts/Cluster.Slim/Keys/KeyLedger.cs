using Cluster.Slim.Errors;

namespace Cluster.Slim.Keys;

/// <summary>Counts what hashing, comparing and checking the keys of one message costs, in steps of about a nanosecond.
/// That of a reader throws when the limit is crossed. That of a writer only counts, and never less than a reader does,
/// so that <see cref="Graph.WriteDoubts"/> can tell when a reader might refuse the message. Owned by one reader or
/// writer.</summary>
internal sealed class KeyLedger(bool isWriting)
{
    /// <summary>What it costs to compare the hash codes of two keys that lie in the same bucket of a table.</summary>
    public const long NeighbourSteps = 2;

    /// <summary>A part of a key that is hashed or compared.</summary>
    public const long PartSteps = 8;

    /// <summary>An object that is looked at by reflection.</summary>
    public const long WalkSteps = 64;

    private const long FreeSteps = 64 * 1024;

    // Far from where sums overflow.
    public const long StepsMax = 1L << 60;

    private readonly bool _isWriting = isWriting;
    private KeyGraph? _graph;
    private SlimLimits _limits = null!;
    private long _messageBytes;

    /// <summary>What has been counted so far.</summary>
    public long Steps { get; private set; }

    /// <summary>What the message before this one came to.</summary>
    public long LastSteps { get; private set; }

    /// <summary>Whether the message is being written, so that a reader's work is foreseen and not done.</summary>
    public bool IsWriting => _isWriting;

    /// <summary>Whether what the keys hold does not tell how a reader will find them, see
    /// <see cref="KeyShape.IsSteady"/>.</summary>
    public bool IsUncertain { get; set; }

    /// <summary>Whether an object of the message was referred to a second time, so that a key may be one that another
    /// collection has, too.</summary>
    public bool HasReferences { get; private set; }

    /// <summary>Whether nothing is refused however much it costs.</summary>
    public bool IsUnlimited => _limits.MaxKeyWorkPerByte == int.MaxValue;

    /// <summary>How many steps are left.</summary>
    public long Room => Math.Max(0, AllowedFor(_messageBytes) - Steps);

    /// <summary>The ledger for a message of that length.</summary>
    /// <param name="limits">The limits of the serializer.</param>
    /// <param name="messageBytes">The bytes of the message; for a writer those of it that are written.</param>
    /// <param name="hasReferences">Whether an object of it may be part of several collections.</param>
    public KeyLedger At(SlimLimits limits, long messageBytes, bool hasReferences)
    {
        HasReferences = hasReferences;
        _limits = limits;
        _messageBytes = messageBytes;
        return this;
    }

    /// <summary>Whether the message may cost this many steps more without crossing its limit.</summary>
    public bool HasRoomFor(long steps) => steps <= Room;

    /// <summary>Whether the steps are more than a message of the length may cost.</summary>
    public bool IsOver => Steps > AllowedFor(_messageBytes);

    /// <summary>Counts work before it is done.</summary>
    public void Add(long steps)
    {
        Steps = Math.Min(StepsMax, Steps + Math.Min(StepsMax, steps));
        if (!_isWriting && Steps > AllowedFor(_messageBytes))
            Refuse();
    }

    /// <summary>Counts work that is done so many times.</summary>
    public void Add(long count, long steps) =>
        Add((long)Math.Min(StepsMax, (double)count * steps));

    /// <summary>Refuses a key that contains itself or is too deep. Returns what its own code costs, in steps: shared
    /// parts count as often as they are reached, which doubles with every level of a hostile key.</summary>
    /// <param name="key">The key; its own code will hash or compare it.</param>
    /// <param name="isShared">Whether the key may have been read for another collection before, so that its text counts
    /// again.</param>
    public long CostOf(object? key, bool isShared) => Graph.Check(key, isShared, _limits.MaxKeyDepth);

    /// <summary>Refuses more entries than may be searched one by one.</summary>
    public void CheckSearched(int count) => CheckSearched(_limits, count);

    /// <summary>The same before there is a ledger.</summary>
    public static void CheckSearched(SlimLimits limits, int count)
    {
        if (count > limits.MaxSearchedEntries)
            Throw.Limit(nameof(SlimLimits.MaxSearchedEntries), limits.MaxSearchedEntries, count);
    }

    /// <summary>What is known of the type of a key or comparer.</summary>
    public KeyShape ShapeOf(Type type) => Graph.ShapeOf(type);

    /// <summary>Forgets what is known of keys, because code that ran meanwhile may have changed them.</summary>
    public void Forget() => _graph?.Forget();

    /// <summary>Forgets the message.</summary>
    public void Clear()
    {
        LastSteps = Steps;
        Steps = 0;
        IsUncertain = false;
        _graph = null;
        _limits = null!;
    }

    /// <summary>Throws that keys cost more than they may.</summary>
    public void Refuse() => Throw.FormatLimit(
        nameof(SlimLimits.MaxKeyWorkPerByte),
        $"Hashing and comparing the keys of this message of {_messageBytes} bytes takes {Steps} steps, more than the "
        + $"{AllowedFor(_messageBytes)} that SlimLimits.{nameof(SlimLimits.MaxKeyWorkPerByte)} = "
        + $"{_limits.MaxKeyWorkPerByte} allows: many keys have equal hash codes, or collections share large keys.");

    private KeyGraph Graph => _graph ??= new KeyGraph(this);

    private long AllowedFor(long messageBytes) => _limits.MaxKeyWorkPerByte == int.MaxValue
        ? StepsMax
        : FreeSteps + (_limits.MaxKeyWorkPerByte * messageBytes);
}

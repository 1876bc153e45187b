using Cluster.Pile.Expiry;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Mapped;

/// <summary>
/// The clock of a mapped pile across processes: UTC since the folder was made. It never goes back behind what it showed
/// when the folder was last attached or left, whatever is done to the clock of the machine. Immutable.
/// </summary>
internal sealed class MappedClock
{
    private readonly TimeProvider _time;
    private readonly long _startTicks;

    public MappedClock(TimeProvider time, MappedState left)
    {
        _time = time;
        var now = time.GetUtcNow().UtcTicks;
        _startTicks = Math.Max(now - left.OriginTicks, left.ElapsedTicks);
        OriginTicks = now - _startTicks;
        GapTicks = _startTicks - left.ElapsedTicks;
    }

    /// <summary>When step 0 was, in ticks of UTC.</summary>
    public long OriginTicks { get; }

    /// <summary>How long nobody had the folder, if the process that had it last left it.</summary>
    public long GapTicks { get; }

    /// <summary>The step at which the pile of this process begins; rounded up, so that no life gets longer.</summary>
    public uint FirstStep
        => (uint)((_startTicks + DeadlineClock.StepTicks - 1) / DeadlineClock.StepTicks) & ExtendedWord.DeadlineMax;

    /// <summary>How far the clock has got.</summary>
    public long ElapsedTicks => Math.Max(_time.GetUtcNow().UtcTicks - OriginTicks, _startTicks);
}

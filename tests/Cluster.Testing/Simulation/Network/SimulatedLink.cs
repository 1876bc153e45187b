namespace Cluster.Testing.Simulation.Network;

/// <summary>One direction between two end points. Several faults may disturb a link at the same time: cuts are counted,
/// and of several qualities the worst value of each kind applies. Used by one thread.</summary>
public sealed class SimulatedLink
{
    private static readonly TimeSpan OvertakingMax = TimeSpan.FromMilliseconds(20);

    private readonly List<LinkQuality> _qualities = [];
    private readonly LinkQuality _usual;
    private LinkQuality _effective;
    private int _cutCount;
    private TimeSpan _lastArrival;
    private TimeSpan _lastInOrder;

    internal SimulatedLink(LinkQuality usual) => (_usual, _effective) = (usual, usual);

    /// <summary>Whether messages get through at all.</summary>
    public bool IsCut => _cutCount > 0;

    /// <summary>What the link does to its messages at the moment.</summary>
    public LinkQuality Quality => _effective;

    /// <summary>Cuts the link until as many heals follow.</summary>
    public void Cut() => _cutCount++;

    /// <summary>Takes one cut back.</summary>
    /// <exception cref="InvalidOperationException">The link is not cut.</exception>
    public void Heal() => _cutCount = _cutCount > 0
        ? _cutCount - 1
        : throw new InvalidOperationException("The link is not cut.");

    /// <summary>Lets what is sent from now on arrive at a later time.</summary>
    /// <param name="until">The time.</param>
    public void Hold(TimeSpan until) => _lastInOrder = until > _lastInOrder ? until : _lastInOrder;

    /// <summary>Adds a quality that makes the link worse.</summary>
    /// <param name="quality">The quality.</param>
    public void Disturb(LinkQuality quality)
    {
        _qualities.Add(quality);
        _effective = _qualities.Aggregate(_usual, Worse);
    }

    /// <summary>Takes a quality back.</summary>
    /// <param name="quality">The quality that was added.</param>
    public void Calm(LinkQuality quality)
    {
        _qualities.Remove(quality);
        _effective = _qualities.Aggregate(_usual, Worse);
    }

    // Draws when a message that is sent now arrives. Messages arrive in order, unless this one may be overtaken.
    internal TimeSpan DrawArrival(TimeSpan now, SimulationRandom random, LinkCounts counts)
    {
        var quality = _effective;
        var longest = random.Chance(quality.TailChance) ? 20 * quality.DelayMax : quality.DelayMax;
        var arrival = now + random.Between(quality.DelayMin, longest);
        if (random.Chance(quality.ReorderingChance))
        {
            arrival += random.Between(TimeSpan.Zero, OvertakingMax);
        }
        else
        {
            arrival = arrival < _lastInOrder ? _lastInOrder : arrival;
            _lastInOrder = arrival;
        }

        if (arrival < _lastArrival)
            counts.Overtaking++;
        if (arrival - now > LinkQuality.Lan.DelayMax)
            counts.Slow++;
        _lastArrival = arrival > _lastArrival ? arrival : _lastArrival;
        return arrival;
    }

    private static LinkQuality Worse(LinkQuality one, LinkQuality other) => new()
    {
        DelayMin = one.DelayMin > other.DelayMin ? one.DelayMin : other.DelayMin,
        DelayMax = one.DelayMax > other.DelayMax ? one.DelayMax : other.DelayMax,
        TailChance = Math.Max(one.TailChance, other.TailChance),
        LossChance = Math.Max(one.LossChance, other.LossChance),
        DuplicationChance = Math.Max(one.DuplicationChance, other.DuplicationChance),
        ReorderingChance = Math.Max(one.ReorderingChance, other.ReorderingChance),
    };
}

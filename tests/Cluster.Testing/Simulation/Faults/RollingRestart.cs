using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Faults;

/// <summary>Drains and restarts nodes, one after the other, as an operator's script does: a node that does not leave in
/// time is killed, if that loses nothing. Used by one fault.</summary>
/// <param name="faults">Tells what a node allows at the moment.</param>
/// <param name="random">The source of chance.</param>
/// <param name="nodes">The nodes to restart.</param>
internal sealed class RollingRestart(NodeFaults faults, SimulationRandom random, ImmutableArray<SimulatedNode> nodes)
{
    private const int PollsMax = 120;

    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan AwayMin = TimeSpan.FromSeconds(0.2);
    private static readonly TimeSpan AwayMax = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan SettleMin = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan SettleMax = TimeSpan.FromSeconds(3);

    private int _next;
    private int _polls;
    private bool _isWaiting;
    private bool _isAway;

    public void Begin(ActiveFault fault)
    {
        fault.EndsWithItsSteps = true;
        fault.Step = Step;
    }

    private TimeSpan? Step()
    {
        if (_next == nodes.Length)
            return null;
        var node = nodes[_next];
        if (_isAway)
        {
            _isAway = false;
            _next++;
            NodeFaults.StartIfGone(node);
            return random.Between(SettleMin, SettleMax);
        }

        if (!node.IsAlive)
            return WaitAway();
        _polls++;
        if (!_isWaiting)
            AskToDrain(node);
        else if (_polls > PollsMax && faults.CanCrash(node))
            node.Crash();
        return Poll;
    }

    // Too few nodes for a drain: another fault has taken them, and will give them back. A node that is needed for too
    // long is left out.
    private void AskToDrain(SimulatedNode node)
    {
        if (faults.CanDrain(node))
        {
            node.Drain();
            (_isWaiting, _polls) = (true, 0);
        }
        else if (_polls > PollsMax)
        {
            _next++;
            _polls = 0;
        }
    }

    private TimeSpan WaitAway()
    {
        (_isAway, _isWaiting, _polls) = (true, false, 0);
        return random.Between(AwayMin, AwayMax);
    }
}

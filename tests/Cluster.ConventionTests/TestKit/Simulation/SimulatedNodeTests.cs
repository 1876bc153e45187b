using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>Deadlines, pauses, crashes and restarts of simulated nodes.</summary>
public sealed class SimulatedNodeTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Tick_ComesAtTheDeadline_OnTheNodesOwnClock()
    {
        var run = new RecordingCluster();
        var deadlines = Enumerable.Range(0, 3).Select(index => run[index].Host.Now + Second.Ticks).ToArray();
        for (var index = 0; index < 3; index++)
        {
            run[index].NextDeadline = deadlines[index];
            run[index].Host.Send(index, 0, "wake");
        }

        var before = run.Cluster.World.Now;
        run.Run(2 * Second);
        for (var index = 0; index < 3; index++)
        {
            var (call, at) = run[index].Calls[^1];
            Assert.Equal("tick", call);
            Assert.InRange(at, deadlines[index], deadlines[index] + 1);
            var waited = run.Machine(index).Clock.TrueTimeOf(at) - before;
            var expected = Second * SimulationRandom.Million / run.Machine(index).Clock.RatePerMillion;
            Assert.InRange(waited, expected - TimeSpan.FromMicroseconds(1), expected + TimeSpan.FromMicroseconds(1));
        }

        Assert.Equal(3, run.Cluster.Nodes.Take(3).Select(node => node.Clock.RatePerMillion).Distinct().Count());
    }

    [Fact]
    public void PausedNode_GetsEverythingAfterThePause_InOrder()
    {
        var run = new RecordingCluster();
        var (program, machine) = (run[1], run.Machine(1));
        program.NextDeadline = program.Host.Now + Second.Ticks;
        run[0].Host.Send(1, 0, "before");
        run.Run(Second / 10);
        machine.Pause();
        machine.Pause();
        run[0].Host.Send(1, 0, "first");
        run[0].Host.Send(1, 0, "second");
        run.Run(3 * Second);
        run[0].Host.Send(1, 0, "third");
        machine.Resume();
        run.Run(Second);
        Assert.Equal(["start", "message before"], program.Names);

        machine.Resume();
        Assert.Equal(["message first", "message second", "tick", "message third"], program.Names.Skip(2));
        Assert.Equal(4, machine.DeferredCount);
        Assert.All(program.Calls.Skip(2), call => Assert.Equal(program.Host.Now, call.At));
    }

    [Fact]
    public void Clocks_RunOnDuringAPause()
    {
        var run = new RecordingCluster();
        var before = run[0].Host.Now;
        run.Machine(0).Pause();
        run.Run(10 * Second);
        run.Machine(0).Resume();
        Assert.Equal(10L * run.Machine(0).Clock.RatePerMillion * 10, run[0].Host.Now - before);
    }

    [Fact]
    public void CrashedNode_LosesItsMemory_AndStartsAgainWithAnotherIncarnation()
    {
        var run = new RecordingCluster();
        var (first, machine) = (run[2], run.Machine(2));
        first.NextDeadline = first.Host.Now + Second.Ticks;
        run[0].Host.Send(2, 0, "old");
        run.Run(Second / 10);
        first.Host.ReadTable(isConsistent: true);
        machine.Crash();
        Assert.Equal(NodeCondition.Crashed, machine.Condition);
        run[0].Host.Send(2, 0, "lost");
        run.Run(Second / 10);

        machine.Start();
        run[0].Host.Send(2, 0, "new");
        run.Run(3 * Second);
        Assert.NotSame(first, run[2]);
        Assert.Equal(first.Host.Node.Name, run[2].Host.Node.Name);
        Assert.NotEqual(first.Host.Node.Incarnation, run[2].Host.Node.Incarnation);
        Assert.Equal(["start", "message new"], run[2].Names);
        Assert.Equal(["start", "message old"], first.Names);
        Assert.Empty(run[2].Readings);
        Assert.True(run.Cluster.HasEnded(first.Host.Node));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Death_IsProven_OnlyWhereNodesShareAKernel(bool isSameKernel)
    {
        var run = new RecordingCluster(isSameKernel: isSameKernel);
        var dead = run[0].Host.Node;
        run[1].Host.Probe(dead);
        run.Run(Second);
        Assert.DoesNotContain("death of node0", run[1].Names);

        run.Machine(0).Crash();
        run.Run(Second);
        Assert.Equal(isSameKernel ? 1 : 0, run[1].Names.Count(name => name == "death of node0"));
        run[1].Host.Probe(dead);
        run.Run(Second);
        Assert.Equal(isSameKernel ? 2 : 0, run[1].Names.Count(name => name == "death of node0"));
    }

    [Fact]
    public void Drain_ReachesTheProgram_WhichLeavesInOrder()
    {
        var run = new RecordingCluster();
        var program = run[0];
        run.Machine(0).Drain();
        Assert.Equal(["start", "drain"], program.Names);
        Assert.True(run.Machine(0).IsDraining);
        program.Host.Exit();
        Assert.Equal(NodeCondition.Stopped, run.Machine(0).Condition);
    }

    [Fact]
    public void ProgramThatThrows_OrNeverMovesItsDeadlineOn_IsReported()
    {
        var run = new RecordingCluster();
        run[0].OnTick = () => throw new InvalidOperationException("broken");
        run[1].OnTick = () => run[1].NextDeadline = 0;
        for (var index = 0; index < 2; index++)
        {
            run[index].NextDeadline = 0;
            run[2].Host.Send(index, 0, "wake");
        }

        run.Run(Second);
        Assert.Equal(2, run.Cluster.World.Violations.Count);
        Assert.All(run.Cluster.World.Violations, violation => Assert.Equal("exception", violation.Invariant));
        Assert.All([0, 1], index => Assert.Equal(NodeCondition.Crashed, run.Machine(index).Condition));
    }
}

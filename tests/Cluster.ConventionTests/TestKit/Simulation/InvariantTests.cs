using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Simulation;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Faults;
using Cluster.Testing.Simulation.Invariants;

namespace Cluster.ConventionTests.TestKit.Simulation;

/// <summary>Invariants that no toy program breaks, because the store or a single copy cannot.</summary>
public sealed class InvariantTests
{
    private static readonly NodeSlot One = new(1);
    private static readonly NodeSlot Two = new(2);

    [Fact]
    public void Table_WithAVersionLeftOut_AFallingEpoch_OrAUsurper_IsFound()
    {
        var owned = PartitionEntry.Unowned.AssignFirst(One);
        var before = ClusterTable.CreateEmpty(2).WithPartition(new PartitionId(1), owned);
        var after = before.StartSuccessor(Guid.Empty);
        Check(null, after);
        Check("I2", after.StartSuccessor(Guid.Empty));
        Check("I2", After(PartitionEntry.Unowned));
        Check("I4", After(owned with { Epoch = owned.Epoch.Next(), Primary = Two, InSync = new([Two]) }));
        Check(null, After(owned.DeclareLost(Two)));

        ClusterTable After(PartitionEntry entry) => after.WithPartition(new PartitionId(1), entry);
        void Check(string? expected, ClusterTable table) =>
            Assert.Equal(expected, TableInvariant.FindViolation(before, table)?.Invariant);
    }

    [Fact]
    public void SingleCopies_DoNotPassForReplicas()
    {
        var setup = Toys.Setup(ToyVariant.Right) with
        {
            Invariants = () => [new ReplicationInvariant()],
            Faults = _ => FaultPlan.None,
            Settings = _ => new SimulationSettings { Backups = 1 },
        };
        var report = new SimulationRunner(setup).Run(1);
        Assert.Equal(report.Cluster.Settings.PartitionCount, report.Violations.Length);
        Assert.All(report.Violations, violation => Assert.Equal("I8", violation.Invariant));

        var single = setup with { Settings = _ => new SimulationSettings { Backups = 0 } };
        Assert.Empty(new SimulationRunner(single).Run(1).Violations);
    }

    [Fact]
    public void Lists_ThatShrink_Branch_OrRepeatAnItem_AreFound()
    {
        Check(null, Append(1, 0, 1, 1), Append(2, 2, 3, 1, 2), Get(2, 3, 1, 2));
        Check("twice", Append(1, 0, 1, 1), Get(2, 3, 1, 1));
        Check("no beginning", Append(1, 0, 5, 1), Append(2, 0, 5, 2), Get(6, 7, 1, 2));
        Check("own item", Append(2, 0, 1, 1));
        Check("began after", Append(1, 0, 1, 1), Get(2, 3));
        Check("began after", Append(1, 0, 1, 1), Append(1, 2, 3, 1));
        Check(null, Append(1, 0, 3, 1), Get(2, 4));
    }

    private static void Check(string? expected, params ClientOperation[] operations)
    {
        var violation = ListHistoryInvariant.FindViolation(operations);
        if (expected is null)
            Assert.Null(violation);
        else
            Assert.Contains(expected, violation, StringComparison.Ordinal);
    }

    private static ClientOperation Append(long item, int invoked, int returned, params long[] items) =>
        Operation(ClientAction.Append, item, (invoked, returned), items);

    private static ClientOperation Get(int invoked, int returned, params long[] items) =>
        Operation(ClientAction.Get, 0, (invoked, returned), items);

    private static ClientOperation Operation(
        ClientAction action, long item, (int Invoked, int Returned) seconds, long[] items)
    {
        var request = new ClientRequest(Guid.Empty, 1, 1, action, new ClientKey("list", 0, KeyUse.List))
        {
            Argument = item,
        };
        var operation = new ClientOperation(0, request, TimeSpan.FromSeconds(seconds.Invoked));
        operation.End(
            TimeSpan.FromSeconds(seconds.Returned),
            ClientReply.To(request, ClientReplyStatus.Done) with { Items = [.. items] });
        return operation;
    }
}

using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Coordination;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Peers;

namespace Cluster.StateStore.Tests.Protocol.Coordination;

/// <summary>What a coordinator decides on: everything that one decision needs, with defaults. All members of the table
/// but the silent ones are heard. Immutable.</summary>
internal sealed record Decision
{
    public const int PartitionCount = 64;
    public const string Proof = "its liveness endpoint refuses connections";

    private static readonly ProtocolTimes Times = new();

    public int Backups { get; init; }

    public bool IsSettled { get; init; } = true;

    public int InitialNodeCount { get; init; } = 1;

    public NodeSlot Self { get; init; }

    /// <summary>How long ago the members that are not silent were heard.</summary>
    public TimeSpan HeardBefore { get; init; }

    public ClusterMember[] Asks { get; init; } = [];

    public NodeId[] Dead { get; init; } = [];

    public NodeId[] Silent { get; init; } = [];

    public (NodeSlot From, Wish Wish)[] Wishes { get; init; } = [];

    public SetAside SetAside { get; init; } = new(Times);

    public Func<PartitionId, long?> CountOf { get; init; } = static _ => null;

    /// <summary>Returns the next table, which the rules allow; the same table if nothing is to be changed.</summary>
    public ClusterTable Apply(ClusterTable table)
    {
        var (policy, next) = Make(table);
        Assert.Equal(0, policy.RefusedCount);
        return next;
    }

    /// <summary>Returns how many wishes are refused.</summary>
    public int CountRefused(ClusterTable table) => Make(table).Policy.RefusedCount;

    private (CoordinatorPolicy Policy, ClusterTable Next) Make(ClusterTable standing)
    {
        var table = standing with
        {
            SetBackups = new([(byte)Backups]),
            Members = [.. standing.Members.Select(Wanting)],
        };
        var peers = new PeerBook(Times, Mutant.None);
        peers.Update(table, table.FindMember(Self)?.Node ?? default, now: 0);
        foreach (var node in Silent)
            peers.Find(node)!.HeardAt = long.MinValue / 2;
        var view = new CoordinatorView(Self, peers, SetAside, HeardBefore.Ticks)
        {
            IsSettled = IsSettled,
            InitialNodeCount = InitialNodeCount,
        };
        var policy = new CoordinatorPolicy(view, table)
            .Enter(Asks.Select(member => new MemberAsk(Wanting(member))))
            .Bury(Dead.Select(node => KeyValuePair.Create(node, Proof)));
        foreach (var group in Wishes.GroupBy(each => each.From, each => each.Wish))
            policy.Grant(group.Key, new Proposal(table.Version, [.. group]));
        if (policy.Plan().ToSuccessor(Guid.NewGuid(), CountOf) is not { } next)
            return (policy, standing);
        Assert.Null(PartitionTransitions.FindViolation(table, next));
        return (policy, next);
    }

    private ClusterMember Wanting(ClusterMember member) => member with { WantedBackups = new([(byte)Backups]) };
}

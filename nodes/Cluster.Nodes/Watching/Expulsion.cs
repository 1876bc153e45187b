using Cluster.Nodes.Deltas;
using Cluster.Nodes.Loops;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Watching;

/// <summary>Whether the table has ended this node's membership: it lists the node as gone, or listed it and lists it no
/// more. Such a node serves nothing, because its partitions may belong to other nodes by now; it is unhealthy, and
/// stops its host with an exit code. Its field is set once, by the table loop, which alone stops the host.</summary>
internal sealed partial class Expulsion(
    RecentTables tables, IHostApplicationLifetime host, ProcessExit exit, LoopContext loops)
{
    private bool _isTold;

    /// <summary>Why this process is no longer a member. Null: it is one, has not joined yet, or is a client.</summary>
    public string? Reason => Find(tables.View.Current);

    /// <summary>Stops the host when the table lists this node no more.</summary>
    public void Apply(ClusterTable table)
    {
        if (_isTold || Find(table) is not { } reason)
            return;
        _isTold = true;
        if (host.ApplicationStopping.IsCancellationRequested)
            return;
        LogExpelled(loops.Logger, tables.View.Self!.Value, LogText.Clean(reason));
        exit.Set(ClusterExitCode.Expelled);
        host.StopApplication();
    }

    private string? Find(ClusterTable table)
    {
        if (tables.View.Self is not { } self)
            return null;
        var member = table.FindMember(self);
        if (member is { State: MemberState.Gone })
            return $"table {table.Version} lists this node as gone";
        var joined = tables.JoinedVersion;

        // The table loop may still process a table from before the join.
        return member is null && joined > 0 && table.Version >= joined
            ? $"table {table.Version} no longer lists this node"
            : null;
    }
}

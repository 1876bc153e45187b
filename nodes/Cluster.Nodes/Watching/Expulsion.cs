using Cluster.Nodes.Loops;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Hosting;

namespace Cluster.Nodes.Watching;

/// <summary>Whether the table has made this node a member no more: it is listed as gone, or it was listed and is listed
/// no more. Such a node serves nothing, because its partitions may belong to others by now, is unhealthy, and stops its
/// host with an exit code that says so. What it remembers is set once; the table loop alone stops the host.</summary>
internal sealed partial class Expulsion(
    ITableView view, IHostApplicationLifetime host, ProcessExit exit, LoopContext loops)
{
    private long _joinedVersion;
    private bool _isTold;

    /// <summary>Why this process is a member no more, or null while it is one, before it has joined, and in a
    /// client.</summary>
    public string? Reason => Find(view.Current);

    /// <summary>Notes that this node has been put into the member list.</summary>
    /// <param name="version">The newest table after that; only this one and later ones can tell of an end.</param>
    public void NoteJoined(long version) => Interlocked.CompareExchange(ref _joinedVersion, version, 0);

    /// <summary>Stops the host when the table lists this node no more.</summary>
    public void Apply(ClusterTable table)
    {
        if (_isTold || Find(table) is not { } reason)
            return;
        _isTold = true;
        if (host.ApplicationStopping.IsCancellationRequested)
            return;
        LogExpelled(loops.Logger, view.Self!.Value, LogText.Clean(reason));
        exit.Set(ClusterExitCode.Expelled);
        host.StopApplication();
    }

    private string? Find(ClusterTable table)
    {
        if (view.Self is not { } self)
            return null;
        var member = table.FindMember(self);
        if (member is { State: MemberState.Gone })
            return $"table {table.Version} lists this node as gone";
        if (member is not null)
            NoteJoined(table.Version);
        var joined = Interlocked.Read(ref _joinedVersion);

        // The table loop may still be at a table from before the join.
        return member is null && joined > 0 && table.Version >= joined
            ? $"table {table.Version} no longer lists this node"
            : null;
    }
}

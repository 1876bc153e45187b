using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Deltas;

/// <summary>The tables that this process has confirmed: the newest one is in the view, and the history makes deltas of
/// the last ones. Thread-safe. The identity of the cluster is set once, before the first table is read.</summary>
internal sealed class RecentTables(TableView view)
{
    private long _joinedVersion;

    /// <summary>This process's view of the table.</summary>
    public TableView View { get; } = view;

    /// <summary>What is known about the changes of the table.</summary>
    public TableHistory History { get; } = new();

    /// <summary>The identity of the cluster.</summary>
    public Guid ClusterId { get; set; }

    /// <summary>The version of the first published table that lists this node, in whatever state. Zero: no
    /// table has listed it yet.</summary>
    public long JoinedVersion => Interlocked.Read(ref _joinedVersion);

    /// <summary>Takes a table that is confirmed.</summary>
    public void Publish(ClusterTable table)
    {
        // A reader of the view may miss the tables that listed this node.
        if (View.Self is { } self && JoinedVersion == 0 && table.FindMember(self) is not null)
            Interlocked.CompareExchange(ref _joinedVersion, table.Version, 0);

        // Who waits for the table in the view may ask for a delta to it at once.
        History.Add(table);
        View.Publish(table);
    }
}

using Cluster.Nodes.Configuration;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Handoff;
using Cluster.Nodes.Members;
using Cluster.Nodes.Watching;
using Cluster.Pile;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Makes the <see cref="MemberRole"/> of a node once the cluster's properties are known. Stateless.</summary>
internal sealed class MemberRoleFactory(
    ClusterSettings settings, StateStoreFactory stores, HandoffFactory handoffs, Coordinator coordinator,
    EpochConfirmation epochs)
{
    public MemberRole Create(ClusterMeta meta)
    {
        var pile = OpenPile();
        var store = stores.Create(meta, pile);
        var (keeper, receiver, sender) = handoffs.Create(store);
        return new MemberRole
        {
            Pile = pile,
            Store = store,
            Keeper = keeper,
            Receiver = receiver,
            Sender = sender,
            Coordinator = coordinator,
            Epochs = epochs,
        };
    }

    // The largest allowed budget depends on the memory limits of the process, which the pile itself looks up.
    private LocalPile OpenPile()
    {
        const string Path = $"{ClusterOptions.SectionName}:{nameof(ClusterOptions.PileBudgetBytes)}";
        try
        {
            return new LocalPile(new PileOptions { BudgetBytes = settings.PileBudgetBytes });
        }
        catch (Exception failure) when (failure is ArgumentException or PileException)
        {
            throw new ClusterStartException(
                ClusterExitCode.ConfigurationInvalid,
                $"No pile of {Path}, {settings.PileBudgetBytes:N0} bytes: {failure.Message}",
                $"Set {Path} to what this process may use.",
                failure);
        }
    }
}

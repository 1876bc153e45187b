using Cluster.StateStore;

namespace Cluster_Service.Node;

/// <summary>A change of a shelf. It travels to the node that owns the key, and runs there while no other change of the
/// key runs. It returns the new number of units, or null if there are not enough.</summary>
internal sealed class ChangeCount(int difference) : IStateOperation<Shelf, int?>
{
    /// <inheritdoc />
    public int? Apply(ref Shelf? state, in OperationContext context)
    {
        var count = (state?.Count ?? 0) + difference;
        if (count < 0)
            return null;

        state ??= new Shelf();
        state.Count = count;
        return count;
    }
}

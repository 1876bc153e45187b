using System.Xml.Linq;
using Cluster.Nodes.AspNetCore.Blocking;
using Cluster.StateStore;
using Microsoft.AspNetCore.DataProtection.Repositories;

namespace Cluster.Nodes.AspNetCore.Protection;

/// <summary>Keeps the key ring of Data Protection in a state of the cluster, as one value: a ring has few elements, and
/// is read as a whole. Data Protection reads it rarely and keeps what it has read, so the wait in its synchronous
/// members happens outside of most requests. Immutable and thread-safe.</summary>
internal sealed class ClusterKeyRepository(IPartitionedState<string, StoredKeys> state) : IXmlRepository
{
    /// <summary>The key of the only value.</summary>
    public const string RingKey = "key-ring";

    public IReadOnlyCollection<XElement> GetAllElements() =>
        [.. (BlockingWait.For(state.GetAsync(RingKey))?.Elements ?? []).Select(static text => XElement.Parse(text))];

    public void StoreElement(XElement element, string friendlyName)
    {
        ArgumentNullException.ThrowIfNull(element);
        var text = element.ToString(SaveOptions.DisableFormatting);
        BlockingWait.For(state.UpdateAsync(RingKey, new StoreKey(text)));
    }
}

using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>What is certain about records that outlive a node. They are those of the partition up to an entry, and
/// nothing in them is of another history. A record that changed later may be there before or after the change.
/// Immutable.</summary>
/// <param name="Entry">Up to this entry, everything was applied.</param>
/// <param name="LossCount">How often the partition had been lost by then. Each loss begins another history.</param>
internal readonly record struct BaseMark(EntryId Entry, int LossCount);

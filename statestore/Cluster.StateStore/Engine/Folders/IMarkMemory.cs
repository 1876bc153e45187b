namespace Cluster.StateStore.Engine.Folders;

/// <summary>Words of eight bytes that outlive the process. Each word is stored as a whole, and words are there in the
/// order in which they were stored. Used under the shard's lock.</summary>
internal interface IMarkMemory
{
    /// <summary>A word, by its number.</summary>
    ulong this[int index] { get; set; }
}

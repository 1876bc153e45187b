namespace Cluster.Nodes.Stores.Files;

/// <summary>What a store file holds; the number is part of the format.</summary>
internal enum StoreFileKind : ushort
{
    /// <summary>The cluster's fixed properties.</summary>
    Meta = 1,

    /// <summary>The cluster table.</summary>
    Table = 2,
}

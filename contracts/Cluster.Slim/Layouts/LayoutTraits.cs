namespace Cluster.Slim.Layouts;

/// <summary>What else a layout says about its type. The numbers are part of the format.</summary>
[Flags]
internal enum LayoutTraits : byte
{
    None = 0,

    /// <summary>A value type: values stand in their places without a head.</summary>
    Value = 1,

    /// <summary>No object of exactly this type stands in a place of it without naming its type.</summary>
    Open = 2,

    /// <summary>Objects can exist before their body is read, so that it may wait.</summary>
    HasBody = 4,

    /// <summary>An enum; its only step is a place of the underlying type.</summary>
    Enum = 8,
}

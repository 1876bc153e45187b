namespace Cluster.Slim.Layouts;

/// <summary>Further facts about the type of a layout. The numbers are part of the format.</summary>
[Flags]
internal enum LayoutTraits : byte
{
    None = 0,

    /// <summary>A value type: a value is written in its place without a head.</summary>
    Value = 1,

    /// <summary>In a place of this type, every object names its own type, even an object of exactly this
    /// type.</summary>
    Open = 2,

    /// <summary>A reader can create an object before it reads the body, so the body may come later.</summary>
    HasBody = 4,

    /// <summary>An enum; its only step is a place of the underlying type.</summary>
    Enum = 8,
}

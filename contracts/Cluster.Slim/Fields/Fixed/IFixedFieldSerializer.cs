namespace Cluster.Slim.Fields.Fixed;

/// <summary>A place whose values take a fixed number of bytes: a simple value, or a struct of such places.</summary>
internal interface IFixedFieldSerializer
{
    int Bytes { get; }

    /// <summary>The simple values of the place, in the order of the wire.</summary>
    IEnumerable<FixedPart> Parts { get; }
}

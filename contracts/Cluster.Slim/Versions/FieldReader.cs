using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>Reads one field of a described type. Untyped part.</summary>
internal abstract class FieldReader;

/// <summary>Reads one field of a described type into an instance of the type here, or past it.</summary>
/// <typeparam name="T">The type here.</typeparam>
internal abstract class FieldReader<T>(string member) : FieldReader
{
    public string Member => member;

    public abstract void Read(SlimReader reader, ref T instance);
}

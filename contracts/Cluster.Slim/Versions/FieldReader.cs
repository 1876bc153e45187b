using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>Reads one field of a described type. The untyped part.</summary>
internal abstract class FieldReader;

/// <summary>Reads one field of a described type into an instance of this process's type, or skips it.</summary>
/// <typeparam name="T">The type in this process.</typeparam>
internal abstract class FieldReader<T>(string member) : FieldReader
{
    public string Member => member;

    public abstract void Read(SlimReader reader, ref T instance);
}

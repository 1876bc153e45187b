using Cluster.Slim.Layouts;

namespace Cluster.Slim.Codecs;

/// <summary>A type on the closed list, named like the type of an object.</summary>
internal readonly struct TypeCodec : ILeafCodec<Type>
{
    public static void Describe(StepList steps) => steps.TypeReference();

    public static void Write(SlimWriter writer, Type value) => writer.WriteType(value);

    public static Type Read(SlimReader reader) => reader.ReadType().Type;
}

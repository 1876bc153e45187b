using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a type that is on the closed list, by a type reference. Interfaces, abstract classes, open
/// definitions, type parameters, pointers and by-reference types are on no list.</summary>
internal readonly struct TypeCodec : ILeafCodec<Type>
{
    public static void Describe(StepList steps) => steps.TypeReference();

    public static void Write(SlimWriter writer, Type value)
    {
        if (!CanBeOfValues(value))
            throw Throw.NotSupported(value, "no value can be of this type, so it is on no closed list.");
        writer.WriteType(value);
    }

    public static Type Read(SlimReader reader) => reader.ReadType().Type;

    private static bool CanBeOfValues(Type type) =>
        !type.ContainsGenericParameters && !type.IsInterface && !type.IsByRef && !type.IsPointer
        && !type.IsFunctionPointer && !type.IsByRefLike && type != typeof(void)
        && (!type.IsAbstract || Types.FrameworkForms.AbstractOf(type) == type || type == typeof(Type));
}

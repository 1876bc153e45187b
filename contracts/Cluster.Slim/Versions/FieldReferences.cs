using System.Reflection.Emit;

namespace Cluster.Slim.Versions;

/// <summary>Returns a reference to one field of an instance.</summary>
/// <typeparam name="T">The type that has the field.</typeparam>
/// <typeparam name="TField">The type of the field.</typeparam>
/// <param name="instance">The instance; an object must exist.</param>
internal delegate ref TField FieldReference<T, TField>(ref T instance);

/// <summary>Compiles the access to fields that descriptions need. The code depends only on the field, and is kept with
/// its type, so that descriptions, which strangers send, do not cause compiling.</summary>
internal static class FieldReferences
{
    /// <summary>The access to the field, or null where code cannot be made.</summary>
    public static FieldReference<T, TField>? Find<T, TField>(FieldInfo field)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
            return null;
        return Known<T, TField>.Table.GetValue(field, static field => Compile<T, TField>(field));
    }

    private static FieldReference<T, TField> Compile<T, TField>(FieldInfo field)
    {
        DynamicMethod method = new(
            "SlimField" + field.Name,
            typeof(TField).MakeByRefType(),
            [typeof(T).MakeByRefType()],
            typeof(FieldReferences).Module,
            skipVisibility: true);
        var il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        if (!typeof(T).IsValueType)
            il.Emit(OpCodes.Ldind_Ref);
        il.Emit(OpCodes.Ldflda, field);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<FieldReference<T, TField>>();
    }

    /// <summary>The compiled access of one type; a field of a base class has one for every derived class.</summary>
    private static class Known<T, TField>
    {
        public static readonly ConditionalWeakTable<FieldInfo, FieldReference<T, TField>> Table = [];
    }
}

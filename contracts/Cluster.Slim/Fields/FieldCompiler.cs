using System.Reflection.Emit;
using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>Writes all fields of the instance.</summary>
/// <typeparam name="T">The type that has the fields.</typeparam>
/// <param name="writer">The target.</param>
/// <param name="instance">The instance.</param>
internal delegate void FieldsWriter<T>(SlimWriter writer, ref T instance);

/// <summary>Reads all fields into the instance.</summary>
/// <typeparam name="T">The type that has the fields.</typeparam>
/// <param name="reader">The source.</param>
/// <param name="instance">The instance; an object must exist already.</param>
internal delegate void FieldsReader<T>(SlimReader reader, ref T instance);

/// <summary>Emits the code that writes or reads all fields of one type: first the fixed-size fields in one block with
/// one bounds check, then the others through their field serializers. Visibility checks are off, so private and
/// read-only fields are reached.</summary>
internal sealed class FieldCompiler
{
    private static readonly MethodInfo ReserveMethod = InstanceMethod(typeof(SlimWriter), "Reserve");
    private static readonly MethodInfo WriteStringMethod =
        typeof(StringFieldSerializer).GetMethod(
            nameof(StringFieldSerializer.WriteField), BindingFlags.Static | BindingFlags.Public)!;
    private static readonly MethodInfo TakeMethod = InstanceMethod(typeof(SlimReader), "Take");
    private static readonly MethodInfo ReadStringMethod = InstanceMethod(typeof(SlimReader), "ReadString");

    private readonly Type _type;
    private readonly FixedPart[] _fixed;
    private readonly FieldMember[] _others;
    private readonly FieldSerializer[] _serializers;
    private readonly int _fixedBytes;

    public FieldCompiler(Type type, IEnumerable<FieldMember> members)
    {
        _type = type;
        _fixed = FixedPart.Of(members.Where(static m => m.Serializer is IFixedFieldSerializer));
        _others = [.. members.Where(static m => m.Serializer is not IFixedFieldSerializer)];
        _serializers = [.. _others.Select(static m => m.Serializer)];
        _fixedBytes = _fixed.Sum(static p => p.Serializer.Bytes);
    }

    public FieldsWriter<T> CompileWriter<T>()
    {
        var method = NewMethod("SlimWrite", typeof(SlimWriter));
        var il = method.GetILGenerator();
        EmitInstance(il);
        if (_fixedBytes > 0)
            EmitFixedWrites(il);
        for (var i = 0; i < _others.Length; i++)
            EmitSerializerWrite(il, i);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<FieldsWriter<T>>(_serializers);
    }

    public FieldsReader<T> CompileReader<T>()
    {
        var method = NewMethod("SlimRead", typeof(SlimReader));
        var il = method.GetILGenerator();
        EmitInstance(il);
        if (_fixedBytes > 0)
            EmitFixedReads(il);
        for (var i = 0; i < _others.Length; i++)
            EmitSerializerRead(il, i);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<FieldsReader<T>>(_serializers);
    }

    private static MethodInfo InstanceMethod(Type type, string name) =>
        type.GetMethod(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)!;

    private DynamicMethod NewMethod(string name, Type end) => new(
        name + _type.Name,
        typeof(void),
        [typeof(FieldSerializer[]), end, _type.MakeByRefType()],
        typeof(FieldCompiler).Module,
        skipVisibility: true);

    // Local 0 holds the object, or the address of the struct; local 1 the address of the fixed block.
    private void EmitInstance(ILGenerator il)
    {
        il.DeclareLocal(_type.IsValueType ? _type.MakeByRefType() : _type);
        il.DeclareLocal(typeof(byte).MakeByRefType());
        il.Emit(OpCodes.Ldarg_2);
        if (!_type.IsValueType)
            il.Emit(OpCodes.Ldind_Ref);
        il.Emit(OpCodes.Stloc_0);
    }

    private void EmitFixedWrites(ILGenerator il)
    {
        EmitBlock(il, ReserveMethod);
        foreach (var part in _fixed)
        {
            EmitAddress(il, part.Offset);
            EmitOwner(il, part);
            il.Emit(OpCodes.Ldfld, part.Path[^1]);
            il.Emit(OpCodes.Call, part.Serializer.PutMethod);
        }
    }

    private void EmitFixedReads(ILGenerator il)
    {
        EmitBlock(il, TakeMethod);
        foreach (var part in _fixed)
        {
            EmitOwner(il, part);
            EmitAddress(il, part.Offset);
            il.Emit(OpCodes.Call, part.Serializer.GetMethod);
            il.Emit(OpCodes.Stfld, part.Path[^1]);
        }
    }

    // The object or the address of the struct that has the field: structs of fixed size are flattened.
    private static void EmitOwner(ILGenerator il, FixedPart part)
    {
        il.Emit(OpCodes.Ldloc_0);
        foreach (var field in part.Path.AsSpan(0, part.Path.Length - 1))
            il.Emit(OpCodes.Ldflda, field);
    }

    private void EmitBlock(ILGenerator il, MethodInfo take)
    {
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldc_I4, _fixedBytes);
        il.Emit(OpCodes.Call, take);
        il.Emit(OpCodes.Stloc_1);
    }

    private static void EmitAddress(ILGenerator il, int offset)
    {
        il.Emit(OpCodes.Ldloc_1);
        if (offset == 0)
            return;
        il.Emit(OpCodes.Ldc_I4, offset);
        il.Emit(OpCodes.Add);
    }

    private void EmitSerializerWrite(ILGenerator il, int index)
    {
        var field = _others[index].Field;
        if (_serializers[index] is StringFieldSerializer)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Ldloc_0);
            il.Emit(OpCodes.Ldfld, field);
            il.Emit(OpCodes.Call, WriteStringMethod);
            return;
        }

        EmitSerializer(il, index);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Ldloc_0);
        il.Emit(OpCodes.Ldfld, field);
        il.Emit(OpCodes.Callvirt, InstanceMethod(typeof(FieldSerializer<>).MakeGenericType(field.FieldType), "Write"));
    }

    private void EmitSerializerRead(ILGenerator il, int index)
    {
        var field = _others[index].Field;
        il.Emit(OpCodes.Ldloc_0);
        if (_serializers[index] is StringFieldSerializer)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Call, ReadStringMethod);
        }
        else
        {
            EmitSerializer(il, index);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(
                OpCodes.Callvirt, InstanceMethod(typeof(FieldSerializer<>).MakeGenericType(field.FieldType), "Read"));
        }

        il.Emit(OpCodes.Stfld, field);
    }

    private static void EmitSerializer(ILGenerator il, int index)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, index);
        il.Emit(OpCodes.Ldelem_Ref);
    }
}

using System.Reflection.Emit;
using Cluster.Glue.Client;
using Cluster.Glue.Routes;
using Cluster.Glue.Signatures;
using Cluster.Glue.Streams;

namespace Cluster.Glue.Emission;

/// <summary>Emits the proxy class of a contract: each member begins a call, writes its arguments by their types, sends
/// the call, and returns in the form of the member. Classes are made once per contract and cached; they are never
/// unloaded.</summary>
internal static class ProxyEmitter
{
    private const BindingFlags AnyInstance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly ConcurrentDictionary<Type, Lazy<Type>> Cache = new();
    private static readonly Type[] ConstructorTypes = [typeof(CallRoute), typeof(ClientMethod[])];
    private static readonly MethodInfo BeginMethod = typeof(GlueProxy).GetMethod("Begin", AnyInstance)!;
    private static readonly MethodInfo BeginGenericMethod = typeof(GlueProxy).GetMethod("BeginGeneric", AnyInstance)!;
    private static readonly MethodInfo TypeFromHandle = typeof(Type).GetMethod(nameof(Type.GetTypeFromHandle))!;
    private static readonly MethodInfo WriteMethod = typeof(OutgoingCall).GetMethod(nameof(OutgoingCall.Write))!;

    public static object Create(ContractDescription contract, CallRoute route, ClientMethod[] methods)
    {
        var type = Cache.GetOrAdd(contract.Type, _ => new Lazy<Type>(() => Emit(contract))).Value;
        return Activator.CreateInstance(type, route, methods)!;
    }

    private static Type Emit(ContractDescription contract)
    {
        var type = EmittedModule.Create(contract, contract.Methods).DefineType(
            contract.Type.Name + "Proxy", TypeAttributes.Public | TypeAttributes.Sealed, typeof(GlueProxy));
        type.AddInterfaceImplementation(contract.Type);
        EmitConstructor(type);
        foreach (var method in contract.Methods)
            EmitMethod(type, method);
        return type.CreateType();
    }

    private static void EmitConstructor(TypeBuilder type)
    {
        var code = type
            .DefineConstructor(MethodAttributes.Public, CallingConventions.HasThis, ConstructorTypes)
            .GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldarg_1);
        code.Emit(OpCodes.Ldarg_2);
        code.Emit(OpCodes.Call, typeof(GlueProxy).GetConstructor(AnyInstance, ConstructorTypes)!);
        code.Emit(OpCodes.Ret);
    }

    private static void EmitMethod(TypeBuilder type, ContractMethod method)
    {
        var builder = type.DefineMethod(
            $"{method.Method.Name}#{method.Index}",
            MethodAttributes.Private | MethodAttributes.Virtual | MethodAttributes.Final
                | MethodAttributes.HideBySig | MethodAttributes.NewSlot);
        var types = TypeSubstitution.Define(builder, method.Method);
        var parameters = Array.ConvertAll(method.Parameters, types.Of);
        builder.SetReturnType(types.Of(method.Method.ReturnType));
        builder.SetParameters(parameters);
        var code = builder.GetILGenerator();
        EmitBegin(code, method, types);
        for (var i = 0; i < parameters.Length; i++)
        {
            if (i == method.TokenIndex)
                continue;
            code.Emit(OpCodes.Dup);
            code.Emit(OpCodes.Ldarg, (short)(i + 1));
            code.Emit(OpCodes.Call, WriteMethod.MakeGenericMethod(parameters[i]));
        }

        EmitToken(code, method);
        code.Emit(OpCodes.Call, SendMethodOf(method, types.Of(method.ResultType)));
        if (method.Method.ReturnType == typeof(void))
            code.Emit(OpCodes.Pop);
        code.Emit(OpCodes.Ret);
        type.DefineMethodOverride(builder, method.Method);
    }

    private static void EmitBegin(ILGenerator code, ContractMethod method, TypeSubstitution types)
    {
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldc_I4, method.Index);
        if (!method.IsOpen)
        {
            code.Emit(OpCodes.Call, BeginMethod.MakeGenericMethod(method.ResultType));
            return;
        }

        code.Emit(OpCodes.Ldtoken, types.Key);
        code.Emit(OpCodes.Call, TypeFromHandle);
        code.Emit(OpCodes.Call, BeginGenericMethod.MakeGenericMethod(types.Of(method.ResultType)));
    }

    private static void EmitToken(ILGenerator code, ContractMethod method)
    {
        if (method.TokenIndex >= 0)
        {
            code.Emit(OpCodes.Ldarg, (short)(method.TokenIndex + 1));
            return;
        }

        var none = code.DeclareLocal(typeof(CancellationToken));
        code.Emit(OpCodes.Ldloca, none);
        code.Emit(OpCodes.Initobj, typeof(CancellationToken));
        code.Emit(OpCodes.Ldloc, none);
    }

    private static MethodInfo SendMethodOf(ContractMethod method, Type result)
    {
        if (method.Shape == ReturnShape.Stream)
            return typeof(CallStream).GetMethod(nameof(CallStream.Of))!.MakeGenericMethod(result.GetGenericArguments());
        var name = method.Shape switch
        {
            ReturnShape.Synchronous => nameof(OutgoingCall<>.SendAndWait),
            ReturnShape.Task => nameof(OutgoingCall<>.SendForTaskAsync),
            _ when method.HasResult => nameof(OutgoingCall<>.SendForValueTaskAsync),
            _ => nameof(OutgoingCall<>.SendForPlainValueTaskAsync),
        };
        var call = typeof(OutgoingCall<>).MakeGenericType(result);
        return method.ResultType.ContainsGenericParameters
            ? TypeBuilder.GetMethod(call, typeof(OutgoingCall<>).GetMethod(name)!)
            : call.GetMethod(name)!;
    }
}

using System.Reflection.Emit;
using Cluster.Glue.Catalog;
using Cluster.Glue.Serving;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Emission;

/// <summary>Emits, for each method of a contract, the code that reads its arguments by their types, calls it, and hands
/// over the result. Made once per contract and cached; never unloaded.</summary>
internal static class DispatcherEmitter
{
    private static readonly ConcurrentDictionary<Type, Lazy<CallInvoker[]>> Cache = new();
    private static readonly MethodInfo ReadMethod = typeof(IncomingCall).GetMethod(nameof(IncomingCall.Read))!;
    private static readonly MethodInfo EndArgumentsMethod = Method(nameof(IncomingCall.EndArguments));
    private static readonly MethodInfo TokenGetter =
        typeof(IncomingCall).GetProperty(nameof(IncomingCall.Token))!.GetMethod!;

    /// <summary>The code for the methods that are not generic, in their order.</summary>
    public static CallInvoker[] InvokersOf(ContractDescription contract) =>
        Cache.GetOrAdd(
            contract.Type, _ => new Lazy<CallInvoker[]>(() => Emit(contract, [.. contract.ClosedMethods]))).Value;

    /// <summary>The code for one closed form of a generic method; each call emits it again.</summary>
    public static CallInvoker InvokerOf(ContractDescription contract, ContractMethod closed) =>
        Emit(contract, [closed])[0];

    private static CallInvoker[] Emit(ContractDescription contract, ContractMethod[] methods)
    {
        var type = EmittedModule.Create(contract, methods).DefineType(
            contract.Type.Name + "Dispatcher", TypeAttributes.Public | TypeAttributes.Sealed);
        foreach (var method in methods)
            EmitMethod(type, contract.Type, method);
        var created = type.CreateType();
        // Delegates bound to an instance are cheaper to call than those of static methods.
        var dispatcher = Activator.CreateInstance(created)!;
        return Array.ConvertAll(
            methods, method => created.GetMethod(NameOf(method))!.CreateDelegate<CallInvoker>(dispatcher));
    }

    private static void EmitMethod(TypeBuilder type, Type contract, ContractMethod method)
    {
        var code = type
            .DefineMethod(NameOf(method), MethodAttributes.Public, typeof(void), [typeof(object), typeof(IncomingCall)])
            .GetILGenerator();
        var arguments = new LocalBuilder?[method.Parameters.Length];
        for (var i = 0; i < arguments.Length; i++)
        {
            if (i == method.TokenIndex)
                continue;
            arguments[i] = code.DeclareLocal(method.Parameters[i]);
            code.Emit(OpCodes.Ldarg_2);
            code.Emit(OpCodes.Call, ReadMethod.MakeGenericMethod(method.Parameters[i]));
            code.Emit(OpCodes.Stloc, arguments[i]!);
        }

        code.Emit(OpCodes.Ldarg_2);
        code.Emit(OpCodes.Call, EndArgumentsMethod);
        code.Emit(OpCodes.Ldarg_2);
        code.Emit(OpCodes.Ldarg_1);
        code.Emit(OpCodes.Castclass, contract);
        foreach (var argument in arguments)
        {
            if (argument is not null)
            {
                code.Emit(OpCodes.Ldloc, argument);
                continue;
            }

            code.Emit(OpCodes.Ldarg_2);
            code.Emit(OpCodes.Call, TokenGetter);
        }

        code.Emit(OpCodes.Callvirt, method.Method);
        code.Emit(OpCodes.Call, ReturnMethodOf(method));
        code.Emit(OpCodes.Ret);
    }

    private static MethodInfo ReturnMethodOf(ContractMethod method) => (method.Shape, method.HasResult) switch
    {
        (ReturnShape.Synchronous, false) => Shaped(nameof(ReturnedTasks.ReturnNothing)),
        (ReturnShape.Synchronous or ReturnShape.Stream, true) =>
            Method(nameof(IncomingCall.Return)).MakeGenericMethod(method.ResultType),
        (ReturnShape.Task, false) => Shaped(nameof(ReturnedTasks.ReturnPlainTask)),
        (ReturnShape.Task, true) => Shaped(nameof(ReturnedTasks.ReturnTask)).MakeGenericMethod(method.ResultType),
        (_, false) => Shaped(nameof(ReturnedTasks.ReturnPlainValueTask)),
        (_, true) => Shaped(nameof(ReturnedTasks.ReturnValueTask)).MakeGenericMethod(method.ResultType),
    };

    private static MethodInfo Method(string name) => typeof(IncomingCall).GetMethod(name)!;

    private static MethodInfo Shaped(string name) => typeof(ReturnedTasks).GetMethod(name)!;

    private static string NameOf(ContractMethod method) => $"{method.Method.Name}#{method.Index}";
}

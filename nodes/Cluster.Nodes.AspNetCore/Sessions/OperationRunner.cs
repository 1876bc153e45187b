using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Runs operations of one type on typed values of sessions. Immutable and thread-safe.</summary>
internal abstract class OperationRunner
{
    private static readonly ConcurrentDictionary<Type, OperationRunner> Runners = new();

    /// <summary>The runner for a type of operations.</summary>
    /// <param name="operation">Implements <see cref="IStateOperation{TState,TResult}"/> exactly once.</param>
    public static OperationRunner Of(Type operation) => Runners.GetOrAdd(operation, static type =>
    {
        var contract = ContractOf(type) ?? throw new InvalidOperationException(
            $"{type} does not implement IStateOperation<TState, TResult> exactly once.");
        var runner = typeof(TypedRunner<,>).MakeGenericType(contract.GetGenericArguments());
        return (OperationRunner)Activator.CreateInstance(runner)!;
    });

    /// <summary>The interface of an operation. Null: the type is not one that can run.</summary>
    public static Type? ContractOf(Type type)
    {
        if (type.IsAbstract || type.ContainsGenericParameters)
            return null;
        var contracts = type.GetInterfaces().Where(IsContract).ToArray();
        return contracts is [var only] ? only : null;
    }

    /// <summary>Runs an operation.</summary>
    public abstract object? Run(object operation, ref object? state, in OperationContext context);

    private static bool IsContract(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IStateOperation<,>);

    /// <summary>Runs operations of one pair of types. Stateless.</summary>
    private sealed class TypedRunner<TState, TResult> : OperationRunner
        where TState : class
    {
        public override object? Run(object operation, ref object? state, in OperationContext context)
        {
            var typed = (TState?)state;
            var result = ((IStateOperation<TState, TResult>)operation).Apply(ref typed, context);
            state = typed;
            return result;
        }
    }
}

using Cluster.StateStore;

namespace Cluster.Nodes.AspNetCore;

/// <summary>A typed value of the session of the current request. It lies in the session on its owner, so it ends with
/// the session, and updates of several requests run one after the other. Injected per request; it needs
/// <c>app.UseSession()</c> before it, and <see cref="ClusterSessionOptions.AddState{T}"/>. Failures of the cluster are
/// a <see cref="StateException"/>.</summary>
/// <typeparam name="T">Any class; it needs no attributes.</typeparam>
public interface ISessionState<T>
    where T : class
{
    /// <summary>Reads the value with one call to its owner, which begins the idle time of the session anew.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A copy of its own; null where there is none.</returns>
    ValueTask<T?> GetAsync(CancellationToken cancellationToken = default);

    /// <summary>Stores a value, whatever was there before. Begins the session where there is none.</summary>
    /// <param name="value">The value.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="InvalidOperationException">The session begins, but the response has started without its
    /// cookie.</exception>
    ValueTask SetAsync(T value, CancellationToken cancellationToken = default);

    /// <summary>Runs an operation once, on the owner of the session, while no other write of the session runs. Begins
    /// the session where there is none.</summary>
    /// <typeparam name="TResult">What the operation answers.</typeparam>
    /// <param name="operation">The operation. Its type is declared in the assembly of <typeparamref name="T"/>, or
    /// allowed by <see cref="SessionStateOptions{T}.AllowOperation{TOperation}"/>.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="InvalidOperationException">The session begins, but the response has started without its
    /// cookie.</exception>
    ValueTask<TResult> UpdateAsync<TResult>(
        IStateOperation<T, TResult> operation, CancellationToken cancellationToken = default);

    /// <summary>Removes the value.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there was one.</returns>
    ValueTask<bool> RemoveAsync(CancellationToken cancellationToken = default);
}

namespace Cluster.StateStore;

/// <summary>What was asked for can never work as it is: a state or an operation that is not registered, a type that is
/// not on the state's closed list, a value that the serializer cannot carry, a key or a value that is too large. The
/// message names the remedy. Nothing was changed; trying again does not help. The inner exception is the serializer's
/// <see cref="Slim.SlimException"/> when that refused, and the call's <c>GlueException</c> when the owner did not take
/// the call.</summary>
/// <param name="message">What is refused, and what to change. For the libraries that build a state on another
/// one.</param>
/// <param name="inner">The reason; null: there is no other.</param>
public sealed class StateRefusedException(string message, Exception? inner = null) : StateException(message, inner);

namespace Cluster.Contracts;

/// <summary>Declares that a method of a service is so short that it may run on the thread that reads its caller's
/// connection, instead of the thread pool: what follows on that connection waits meanwhile. It must not block; what
/// comes after an <c>await</c> that waits is not concerned. A call that keeps the thread for more than a millisecond is
/// logged, and the method runs on the pool from then on. Of services with one object for each caller, and over other
/// bindings than links, it changes nothing. On the method of the class, not of the contract.</summary>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
public sealed class RunInlineAttribute : Attribute;

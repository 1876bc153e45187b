using Xunit.Sdk;

namespace Cluster.Testing.Stores;

/// <summary>A fact of an abstract suite. Unlike a plain fact, it obeys the <see cref="RequirementAttribute"/> of the
/// class that inherits it, so that one suite serves classes that need a server and classes that do not.</summary>
[AttributeUsage(AttributeTargets.Method)]
[XunitTestCaseDiscoverer("Cluster.Testing.Stores.ConformanceFactDiscoverer", "Cluster.Testing")]
public sealed class ConformanceFactAttribute : Xunit.FactAttribute;

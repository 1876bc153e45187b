namespace Cluster.Glue.Tests.Semantics.Filters;

public sealed class FiltersOverLinkTests() : FilterSemanticTests(SemanticBinding.Link());

public sealed class FiltersOverUnixSocketTests() : FilterSemanticTests(SemanticBinding.UnixSocket());

public sealed class FiltersOverUnaryTests() : FilterSemanticTests(SemanticBinding.Unary());

public sealed class FiltersInProcessTests() : FilterSemanticTests(SemanticBinding.InProcess());

public sealed class FiltersInProcessSerializedTests() : FilterSemanticTests(SemanticBinding.InProcessSerialized());
